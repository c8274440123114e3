use jumar::prelude::*;
pub fn op_recovered_tokens(
    #[shape(a0, a1)] x0: Option<&GlobalTensor<f32>>,
    #[shape(a0, a1)] x1: &GlobalTensor<f32>,
    #[shape(a0)] x2: &GlobalTensor<i32>,
    #[shape(a0, a1)] x3: &GlobalTensor<f32>,
    #[shape(a0)] y0: &mut GlobalTensor<i32>,
) {
    require(a1 <= 2147483648);
    require(a1 >= 1);
    require(a1 <= 16777216);
    for t0 in tiles(a0) {
        let v0 = x1.at(t0, ..).load();
        let mut c0 = full::<f32>((a1, t0), 0.0);
        if let Some(x0) = x0 {
            let v1 = x0.at(t0, ..).load();
            let v2 = v0 - v1;
            c0 = v2.max(0.0);
        } else {
            let k0 = a1.iota();
            let k1 = k0.expand(t0);
            let k2 = x2.at(t0).load();
            let m0 = k1.eq(k2);
            let v1 = full::<f32>((a1, t0), 0.0);
            c0 = m0.select(v1, v0);
        }
        let v1 = x3.at(t0, ..).load();
        let v2 = c0 / v1;
        let k0 = v2.argmax(a1);
        y0.at(t0).store(k0);
    }
}
