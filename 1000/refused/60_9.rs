use jumar::prelude::*;
#[kernel]
pub fn op_scale_add<T: Float>(
    #[shape(a0..)] x0: &GlobalTensor<T>,
    #[shape(a0..)] x1: &GlobalTensor<T>,
    #[shape(a0..)] y0: &mut GlobalTensor<T>,
    #[default(1.0)] s0: f32,
) {
    for t0 in tiles(a0) {
        let h0 = x0.at(t0).load();
        let v0 = h0.cast::<f32>();
        let v1 = s0 * v0;
        let h1 = x1.at(t0).load();
        let v2 = h1.cast::<f32>();
        let v3 = v1 + v2;
        let h2 = v3.cast::<T>();
        y0.at(t0).store(h2);
    
}
