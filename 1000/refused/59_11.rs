use jumar::prelude::*;
#[kernel]
pub fn rms_norm<T: Float>(
    #[shape(a0.., a1)] x0: &GlobalTensor<T>,
    #[shape(a1)] x1: &GlobalTensor<T>,
    #[shape(a0.., a1)] y0: &mut GlobalTensor<T>,
    #[default(1e-6)] s0: f32,
) {
    let s1 = a1 as f32;
    let s2 = 1.0 / s1;
    for t0 in tiles(a0) {
        let h0 = x0.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0 * v0;
        let v2 = v1.sum(a1);
        let v3 = v2 * s2;
        let v4 = v3 + s0;
        let v5 = v4.sqrt();
        let h1 = x1.at(..).load();
        let v6 = h1.cast::<f32>();
        let v7 = v0 / v5;
        let v8 = v7 * v6;
        let h2 = v8.cast::<T>();
        y0.at(t0, ..).store(h2);
    }
}
