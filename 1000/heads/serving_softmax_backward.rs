use jumar::prelude::*;
#[kernel]
pub fn softmax_backward<T: Float>(
    #[shape(n.., d)] dy: &GlobalTensor<T>,
    #[shape(n.., d)] y: &GlobalTensor<T>,
    scale: f32,
    #[shape(n.., d)] dx: &mut GlobalTensor<T>,
) {
    for t0 in tiles(n) {
        let h0 = dy.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let h1 = y.at(t0, ..).load();
        let v1 = h1.cast::<f32>();
        let v2 = v0 * v1;
        let v3 = v2.sum(d);
        let v4 = v0 - v3;
        let v5 = v1 * v4;
        let v6 = v5 * scale;
        let h2 = v6.cast::<T>();
        dx.at(t0, ..).store(h2);
    }
}
