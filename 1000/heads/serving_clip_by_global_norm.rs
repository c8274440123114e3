use jumar::prelude::*;
#[kernel]
pub fn clip_by_global_norm<T: Float>(
    #[shape(xs_shape..)] #[inplace] xs: &mut [GlobalTensor<T>],
    #[shape()] norm: &GlobalTensor<f32>,
    max_norm: f32,
) {
    for y0 in zip(xs) {
        let v0 = norm.at().load();
        let v1 = v0 + 1e-6;
        let v2 = max_norm / v1;
        let v3 = v2.min(1.0);
        for t0 in tiles(xs_shape) {
            let h0 = y0.at(t0).load();
            let v4 = h0.cast::<f32>();
            let v5 = v4 * v3;
            let h1 = v5.cast::<T>();
            y0.at(t0).store(h1);
        }
    }
}
