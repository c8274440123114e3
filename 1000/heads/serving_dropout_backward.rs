use jumar::prelude::*;
#[kernel]
pub fn dropout_backward<T: Float>(
    #[shape(dy_shape..)] dy: &GlobalTensor<T>,
    #[shape(dy_shape..)] keep: &GlobalTensor<bool>,
    p: f32,
    #[shape(dy_shape..)] dx: &mut GlobalTensor<T>,
) {
    let s0 = 1.0 - p;
    let s1 = 1.0 / s0;
    let s2 = if p < 1.0 { s1 } else { 0.0 };
    for t0 in tiles(dy_shape) {
        let ho0 = keep.at(t0).load();
        let m0 = ho0.cast::<bool>();
        let h0 = dy.at(t0).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0 * s2;
        let v2 = m0.select(v1, 0.0);
        let h1 = v2.cast::<T>();
        dx.at(t0).store(h1);
    }
}
