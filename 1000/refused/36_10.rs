use jumar::prelude::*;
pub fn op_add<T: Float>(
    #[shape(a0..)] x0: &GlobalTensor<T>,
    #[shape(a0..)] x1: &GlobalTensor<T>,
    #[shape(a0..)] y0: &mut GlobalTensor<T>,
) {
    for t0 in tiles(a0) {
        let h0 = x0.at(t0).load();
        let v0 = h0.cast::<f32>();
        let h1 = x1.at(t0).load();
        let v1 = h1.cast::<f32>();
        let v2 = v0 + v1;
        let h2 = v2.cast::<T>();
        y0.at(t0).store(h2);
    }
}
