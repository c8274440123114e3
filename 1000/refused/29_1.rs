use jumar::prelude::*;
#[kernel]
pub fn op_softmax_backward<T: Float>(
    #[shape(a0.., a1)] x0: &GlobalTensor<T>,
    #[shape(a0.., a1)] x1: &GlobalTensor<T>,
    s0: f32,
    #[shape(a0.., a1)] y0: &mut GlobalTensor<T>,
) {
    for t0 in tiles(a0) {
        let h0 = x0.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let h1 = x1.at(t0, ..).load();
        let v1 = h1.cast::<f32>();
        let v2 = v0 * v1;
        let v3 = v2.sum(a1);
        let v4 = v0 - v3;
        let v5 = v1 * v4;
        let v6 = v5 * s0;
        let h2 = v6.cast::<T>();
        y0.at(t0, ..).write(h2);
    }
}
