use jumar::prelude::*;
#[kernel]
pub fn top_p_mask(
    #[shape(n, v)] sorted: &GlobalTensor<f32>,
    #[shape(n)] p: &GlobalTensor<f32>,
    #[shape(n, v)] y: &mut GlobalTensor<f32>,
) {
    require(v >= 1);
    require(v <= 2147483648);
    for t0 in tiles(n) {
        let v0 = sorted.at(t0, ..).load();
        let v1 = v0.amax(v);
        let v2 = v0 - v1;
        let v3 = v2.exp();
        let v4 = v3.sum(v);
        let v5 = v3 / v4;
        let v6 = v5.cumsum(v);
        let v7 = p.at(t0).load();
        let v8 = 1.0 - v7;
        let m0 = v6.le(v8);
        let k0 = v.iota();
        let n0 = v - 1;
        let j0 = n0 as i32;
        let m1 = k0.lt(j0);
        let m2 = m0 & m1;
        let v9 = full::<f32>((t0, v), f32::NEG_INFINITY);
        let v10 = m2.select(v9, v0);
        y.at(t0, ..).store(v10);
    }
}
