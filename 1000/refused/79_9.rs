use jumar::prelude::*;
#[kernel]
pub fn op_joined<T: Element>(
    #[shape(a0, a1, a2)] x0: &GlobalTensor<T>,
    #[shape(a0, a3, a2)] x1: &GlobalTensor<T>,
    #[shape(a0, a4 = a1 + a3, a2)] y0: &mut GlobalTensor<T>,
) {
    for (i0, t0, t1) in tiles((each(a0), a1, a2)) {
        let h0 = x0.at(i0, t0, t1).load();
        y0.at(i0, t0 + 0, t1).store(h0);
    
    for (i0, t0, t1) in tiles((each(a0), a3, a2)) {
        let h0 = x1.at(i0, t0, t1).load();
        y0.at(i0, t0 + a1, t1).store(h0);
    }
}
