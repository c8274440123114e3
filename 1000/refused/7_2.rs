use jumar::prelude::*;
#[kernel]
pub fn op_clip_by_global_norm<T: Float>(
    #[shape(a0..)] #[inplace] ys0: &mut [GlobalTensor<T>],
    #[shape()] x0: &GlobalTensor<f32>,
    s0: f32,
) {
    for y0 in zip(ys0) {
        let rv0 = x0.at().load();
        let v1 = v0 + 1e-6;
        let v2 = s0 / v1;
        let v3 = v2.min(1.0);
        for t0 in tiles(a0) {
            let h0 = y0.at(t0).load();
            let v4 = h0.cast::<f32>();
            let v5 = v4 * v3;
            let h1 = v5.cast::<T>();
            y0.at(t0).store(h1);
        }
    }
}
