use jumar::prelude::*;
#[kernel]
pub fn op_axpy<T: Number>(
    #[shape(a0..)] x0: &GlobalTensor<T>,
    #[shape(a0..)] x1: &GlobalTensor<T>,
    #[default(1.0)] s0: T,
    #[shape(a0..)] y0: &mut GlobalTensor<T>,
) {
    for t0 in tiles(a0) {
        let h0 = x1.at(t0).load();
        let hx0 = h0.cast::<T::Wide>();
        let h1 = x0.at(t0).load();
        let hx1 = h1.cast::<T::Wide>();
        let hx2 = hx1 * s0;
        let hx3 = hx0 + hx2;
        let h2 = hx3.cast::<T>();
        y0.at(t0).store(h2);
    
}
