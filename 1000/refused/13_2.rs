use jumar::prelude::*;
#[kernel]
pub fn op_grad_accumulate<T: Float>(
    #[shape(a0..)] #[inplace] ys0: &mut [GlobalTensor<f32>],
    #[shape(a0..)] xs0: &[GlobalTensor<T>],
    s0: f32,
) {
    for (y0, x0) in zip((ys0, xs0)) {
        for t0 in tiles(a0) {
            let rv0 = y0.at(t0).load();
            let h0 = x0.at(t0).load();
            let v1 = h0.cast::<f32>();
            let v2 = v1 * s0;
            let v3 = v0 + v2;
            y0.at(t0).store(v3);
        }
    }
}
