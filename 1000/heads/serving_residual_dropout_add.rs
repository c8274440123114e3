use jumar::prelude::*;
#[kernel]
pub fn residual_dropout_add<T: Float>(
    #[shape(x_shape..)] x: &GlobalTensor<T>,
    #[shape(x_shape..)] residual: &GlobalTensor<T>,
    #[shape(x_shape..)] keep: &GlobalTensor<bool>,
    p: f32,
    #[shape(x_shape..)] y: &mut GlobalTensor<T>,
) {
    let s0 = 1.0 - p;
    let s1 = 1.0 / s0;
    for t0 in tiles(x_shape) {
        let ho0 = keep.at(t0).load();
        let m0 = ho0.cast::<bool>();
        let h0 = x.at(t0).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0 * s1;
        let v2 = m0.select(v1, 0.0);
        let h1 = residual.at(t0).load();
        let v3 = h1.cast::<f32>();
        let v4 = v3 + v2;
        let h2 = v4.cast::<T>();
        y.at(t0).store(h2);
    }
}
