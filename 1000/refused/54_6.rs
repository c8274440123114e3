use jumar::prelude::*;
#[kernel]
pub fn op_above(
    #[shape(a0, a1)] x0: &GlobalTensor<f32>,
    #[shape(a0)] x1: &GlobalTensor<f32>,
    #[shape(a2)] y0: &mut GlobalTensor<i32>,
    #[shape()] y1: &mut GlobalTensor<f32>,
) {
    require(a1 <= 2147483648);
    let a3 = new_axis(1);
    for (i0, t0) in tiles((each(a0), a1)) {
        let v0 = x0.at(i0, t0).load();
        let k0 = t0.iota();
        let n0 = i0 * a1;
        let j0 = n0 as i32;
        let k1 = k0 + j0;
        let v1 = x1.at(i0).load();
        let m0 = v0.gt(v1);
        y0.append(k1, m0);
    }
    let k0 = y0.appended();
    let v0 = k0.to::<f32>();
    let n0 = a0 * a1;
    let s0 = n0 as f32;
    let v1 = v0 / s0;
    y1.at().store(v1);
}
