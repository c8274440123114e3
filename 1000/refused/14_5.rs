use jumar::prelude::*;
#[kernel]
pub fn op_gumbel_sample<T: Float>(
    #[shape(a0, a1)] x0: &LocalTensor<T>,
    #[shape(a0)] x1: &GlobalTensor<f32>,
    #[shape(a0, a1)] x2: &GlobalTensor<f32>,
    #[shape(a0)] y0: &mut GlobalTensor<i64>,
) {
    require(a1 >= 1);
    require(a1 <= 16777216);
    for t0 in tiles(a0) {
        let h0 = x0.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = x1.at(t0).load();
        let m0 = v1.eq(0.0);
        let v2 = v0 / v1;
        let v3 = x2.at(t0, ..).load();
        let v4 = v2 + v3;
        let v5 = m0.select(v0, v4);
        let k0 = v5.argmax(a1);
        let hl0 = k0.cast::<i64>();
        y0.at(t0).store(hl0);
    }
}
