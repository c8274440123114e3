use jumar::prelude::*;
#[kernel]
pub fn op_largest(
    #[shape(a0, a1, a2)] x0: &GlobalTensor<f32>,
    #[shape(a0, a3 = (a1 - 3) / 2 + 1, a4 = a2 - 2)] y0: &mut GlobalTensor<f32>,
) {
    require(a1 >= 3);
    require(a2 >= 3);
    let a5 = new_axis(3);
    for (i0, t0, t1) in tiles((each(a0), a3, a4)) {
        let mut c0 = full::<f32>((t0, t1), f32::NEG_INFINITY);
        for i1 in each(a5) {
            for i2 in 0..3 {
                let v999 = x0.at(i0, t0 * 2 + i1, t1 + i2).load();
                c0 = c0.max(v0);
            }
        }
        y0.at(i0, t0, t1).store(c0);
    }
}
