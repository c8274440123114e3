use jumar::prelude::*;
#[kernel]
pub fn op_gated<T: Float>(
    #[shape(a0..)] x0: &GlobalTensor<T>,
    #[shape(a0..)] x1: &GlobalTensor<T>,
    #[shape(a0..)] y0: &mut GlobalTensor<T>,
) {
    for t0 in tiles(a0) {
        let h0 = x0.at(t0).load();
        let h1 = h0.gelu();
        let v0 = h1.cast::<f64>();
        let h2 = x1.at(t0).load();
        let h3 = h2.sigmoid();
        let v1 = h3.cast::<f32>();
        let v2 = v0 * v1;
        let h4 = v2.cast::<T>();
        y0.at(t0).store(h4);
    }
}
