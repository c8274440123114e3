use jumar::prelude::*;
#[kernel]
pub fn op_top_p_mask(
    #[shape(a0, a1)] x0: &GlobalTensor<f32>,
    #[shape(a0)] x1: &GlobalTensor<f32>,
    #[shape(a0, a1)] y0: &mut GlobalTensor<f32>,
) {
    require(a1 >= 1);
    require(a1 <= 2147483648);
    for t0 in tiles(a0) {
        let v0 = x0.at(t0, ..).load();
        let v1 = v0.amax(a1);
        let v2 = v0 - v1;
        let v3 = v2.exp();
        let v4 = v3.sum(a1);
        let v5 = v3 / v4;
        let v6 = v5.cumsum(a1);
        let v7 = x1.at(t0).load();
        let v8 = 1.0 - v7;
        let m0 = v6.le(v8);
        let k0 = a1.iota();
        let n0 = a1 - 1;
        let j0 = n0 as i32;
        let m1 = k0.lt(j0);
        let m2 = m0 & m1;
        let v9 = full::<f32>((a1, t0), f32::NEG_INFINITY);
        let v10 = m2.select(v9, v0);
        y0.at(t0, ..).store(v10);
    
}
