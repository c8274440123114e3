use jumar::prelude::*;
#[kernel]
pub fn op_swish<T: Float>(
    #[shape(a0..)] x0: &GlobalTensor<T>,
    #[shape(a0..)] y0: &mut GlobalTensor<T>,
    #[default(1.0)] s0: f32,
) {
    for t0 in tiles(a0) {
        let h0 = x0[t0).load();
        let v0 = h0.cast::<f32>();
        let s1 = -s0;
        let v1 = v0 * s1;
        let v2 = v1.exp();
        let v3 = v2 + 1.0;
        let v4 = v0 / v3;
        let h1 = v4.cast::<T>();
        y0.at(t0).store(h1);
    }
}
