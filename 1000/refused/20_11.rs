use jumar::prelude::*;
#[kernel]
pub fn log_softmax_backward<T: Float>(
    #[shape(a0.., a1)] x0: &GlobalTensor<T>,
    #[shape(a0.., a1)] x1: &GlobalTensor<T>,
    #[shape(a0.., a1)] y0: &mut GlobalTensor<T>,
) {
    for t0 in tiles(a0) {
        let h0 = x0.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let h1 = x1.at(t0, ..).load();
        let v1 = h1.cast::<f32>();
        let v2 = v1.exp();
        let v3 = v0.sum(a1);
        let v4 = v2 * v3;
        let v5 = v0 - v4;
        let h2 = v5.cast::<T>();
        y0.at(t0, ..).store(h2);
    }
}
