use jumar::prelude::*
#[kernel]
pub fn op_transpose<T: Float>(
    #[shape(a0, a1, a2)] x0: &GlobalTensor<T>,
    #[shape(a0, a2, a1)] y0: &mut GlobalTensor<T>,
) {
    for (i0, t0, t1) in tiles((each(a0), a1, a2)) {
        let h0 = x0.at(i0, t0, t1).load();
        y0.at(i0, t1, t0).store(h0);
    }
}
