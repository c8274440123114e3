use jumar::prelude::*;
#[kernel]
pub fn op_embedding<T: Float>(
    #[shape(a0)] #[index(a1)] x0: &GlobalTensor<i64>,
    #[shape(a1, a2)] x1: &GlobalTensor<T>,
    #[shape(a0, a2)] y0: &mut GlobalTensor<T>,
) {
    for t0 in tiles(a0) {
        let hl0 = x0[t0).load();
        let h0 = x1.at(hl0, ..).load();
        y0.at(t0, ..).store(h0);
    }
}
