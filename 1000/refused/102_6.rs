use jumar::prelude::*;
#[kernel]
pub fn op_leaky_relu<T: Float>(
    #[shape(a0..)] x0: &GlobalTensor<T>,
    #[shape(a0..)] y0: &mut GlobalTensor<T>,
    #[default(0.01)] s0: f32,
) {
    for t0 in tiles(a0) {
        let h0 = x0.at(t0).load();
        let v0 = h0.to::<f32>();
        let m0 = v0.gt(0.0);
        let v1 = v0 * s0;
        let v2 = m0.select(v0, v1);
        let h1 = v2.cast::<T>();
        y0.at(t0).store(h1);
    }
}
