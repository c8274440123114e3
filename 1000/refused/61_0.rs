use jumar::prelude::*;
#[kernel]
pub fn op_scatter_add<T: Float>(
    #[shape(a0)] #[index(n0)] x0: &GlobalTensor<i64>,
    #[shape(a0, a1)] x1: &GlobalTensor<T>,
    #[shape(n0, a1)] y0: &mut GlobalTensor<T>,
    n0: usize,
) {
    for t0 in tiles(a0) {
        let hl0 = x0.at(t0).load().exp();
        let h0 = x1.at(t0, ..).load();
        y0.at(hl0, ..).atomic_add(h0);
    }
}
