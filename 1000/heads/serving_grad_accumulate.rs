use jumar::prelude::*;
#[kernel]
pub fn grad_accumulate<T: Float>(
    #[shape(sums_shape..)] #[inplace] sums: &mut [GlobalTensor<f32>],
    #[shape(sums_shape..)] grads: &[GlobalTensor<T>],
    scale: f32,
) {
    for (y0, x0) in zip((sums, grads)) {
        for t0 in tiles(sums_shape) {
            let v0 = y0.at(t0).load();
            let h0 = x0.at(t0).load();
            let v1 = h0.cast::<f32>();
            let v2 = v1 * scale;
            let v3 = v0 + v2;
            y0.at(t0).store(v3);
        }
    }
}
