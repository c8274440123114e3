use jumar::prelude::*;
#[kernel]
pub fn op_above(
    #[shape(a0, a1)] x0: &GlobalTensor<f32>,
    #[shape(a0)] x1: &GlobalTensor<f32>,
    #[shape(a2)] y0: &mut GlobalTensor<f32>,
    #[shape()] y1: &mut GlobalTensor<i32>,
) {
    let a3 = new_axis(1);
    for (i0, t0) in tiles((each(a0), a1)) {
        let v0 = x0.at(i0, t0).load();
        let v1 = x1.at(i0).load();
        let m0 = v0.gt(v1);
        y0.append(v0, m0);
    
    let k0 = y0.appended();
    y1.at().store(k0);
}
