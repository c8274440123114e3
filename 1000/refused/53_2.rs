use jumar::prelude::*;
#[kernel]
pub fn op_masked_select<T: Float>(
    #[shape(a0)] x0: &GlobalTensor<T>,
    #[shape(a0)] x1: &GlobalTensor<bool>,
    #[shape(a1)] y0: &mut GlobalTensor<T>,
    #[shape()] y1: &mut GlobalTensor<i32>,
) {
    let ra2 = new_axis(1);
    for t0 in tiles(a0) {
        let h0 = x0.at(t0).load();
        let ho0 = x1.at(t0).load();
        let m0 = ho0.cast::<bool>();
        y0.append(h0, m0);
    }
    let k0 = y0.appended();
    y1.at().store(k0);
}
