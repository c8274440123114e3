use jumar::prelude::*;
#[kernel]
pub fn log_softmax_backward<T: Float>(
    #[shape(n.., d)] dy: &GlobalTensor<T>,
    #[shape(n.., d)] y: &GlobalTensor<T>,
    #[shape(n.., d)] dx: &mut GlobalTensor<T>,
) {
    for t0 in tiles(n) {
        let h0 = dy.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let h1 = y.at(t0, ..).load();
        let v1 = h1.cast::<f32>();
        let v2 = v1.exp();
        let v3 = v0.sum(d);
        let v4 = v2 * v3;
        let v5 = v0 - v4;
        let h2 = v5.cast::<T>();
        dx.at(t0, ..).store(h2);
    }
}
