use jumar::prelude::*;
#[kernel]
pub fn op_residual_dropout_add<T: Float>(
    #[shape(a0..)] x0: &GlobalTensor<T>,
    #[shape(a0..)] x1: &GlobalTensor<T>,
    #[shape(a0..)] x2: &GlobalTensor<bool>,
    s0: f32,
    #[shape(a0..)] y0: &mut GlobalTensor<T>,
) {
    let rs1 = 1.0 - s0;
    let s2 = 1.0 / s1;
    for t0 in tiles(a0) {
        let ho0 = x2.at(t0).load();
        let m0 = ho0.cast::<bool>();
        let h0 = x0.at(t0).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0 * s2;
        let v2 = m0.select(v1, 0.0);
        let h1 = x1.at(t0).load();
        let v3 = h1.cast::<f32>();
        let v4 = v3 + v2;
        let h2 = v4.cast::<T>();
        y0.at(t0).store(h2);
    }
}
