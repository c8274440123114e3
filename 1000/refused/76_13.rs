use jumar::prelude::*
#[kernel]
pub fn op_step<T: Float>(
    #[list(a0)] #[shape(a1..)] #[inplace] ys0: &mut [GlobalTensor<T>],
    #[shape(a1..)] xs0: &[GlobalTensor<T>],
    #[shape(a0)] x0: &GlobalTensor<f32>,
) {
    for (i0, (y0, x1)) in zip((ys0, xs0)).enumerate() {
        let v0 = x0.at(i0).load();
        for t0 in tiles(a1) {
            let h0 = y0.at(t0).load();
            let v1 = h0.cast::<f32>();
            let h1 = x1.at(t0).load();
            let v2 = h1.cast::<f32>();
            let v3 = v2 * v0;
            let v4 = v1 - v3;
            let h2 = v4.cast::<T>();
            y0.at(t0).store(h2);
        }
    }
}
