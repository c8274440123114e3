use jumar::prelude::*;
#[kernel]
pub fn op_concat<T: Element>(
    #[shape(a0.., a1 @ j0, a2..)] x0: &GlobalTensor<T>,
    #[shape(a0.., a3 @ j0, a2..)] x1: &GlobalTensor<T>,
    j0: i32,
    #[shape(a0.., a4 = a1 + a3, a2..)] y0: &mut GlobalTensor<T>,
) {
    let a5 = new_axis((a1 * a2).max(0));
    let a6 = new_axis((a3 * a2).max(0));
    let a7 = new_axis(a1 * a2);
    let a8 = new_axis((a1 + a3) * a2);
    let a9 = new_axis(a3 * a2);
    for (t0, t1) in tiles((a0, a5)) {
        let h0 = x0.view((a0, a7)).at(t0, t1 + 0).load().exp();
        y0.view((a0, a8)).at(t0, t1 + 0).store(h0);
    }
    for (t0, t1) in tiles((a0, a6)) {
        let h0 = x1.view((a0, a9)).at(t0, t1 + 0).load();
        y0.view((a0, a8)).at(t0, t1 + a1 * a2).store(h0);
    }
}
