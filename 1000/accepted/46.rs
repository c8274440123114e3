use jumar::prelude::*;
#[kernel]
pub fn op_flip<T: Number>(
    #[shape(a0.., a1 @ j0, a2..)] x0: &GlobalTensor<T>,
    j0: i32,
    #[shape(a0.., a1, a2..)] y0: &mut GlobalTensor<T>,
) {
    for (i0, t0, t1) in tiles((each(a0), a1, a2)) {
        let h0 = x0.at(i0, a1 - 1 - t0, t1).load();
        y0.at(i0, t0, t1).store(h0);
    }
}
