use jumar::prelude::*
#[kernel]
pub fn op_flip_last<T: Number>(
    #[shape(a0.., a1)] x0: &GlobalTensor<T>,
    #[shape(a0.., a1)] y0: &mut GlobalTensor<T>,
) {
    for (t0, t1) in tiles((a0, a1)) {
        let h0 = x0.at(t0, a1 - 1 - t1).load();
        y0.at(t0, t1).store(h0);
    }
}
