use jumar::prelude::*;
#[kernel]
pub fn op_segments(
    #[shape(a0)] x0: &GlobalTensor<i32>,
    #[shape(a0)] x1: &GlobalTensor<i32>,
    #[shape(a1, a2)] x2: &GlobalTensor<f32>,
    #[shape(a0, a2)] y0: &mut GlobalTensor<f32>,
) {
    for (i0, t0) in tiles((each(a0), a2)) {
        let k0 = x0.at(i0).load();
        let j0 = k0.scalar();
        let k1 = x1.at(i0).load();
        let j1 = k1.scalar();
        let n0 = j0 as usize;
        let n1 = j1 as usize;
        assume(0 <= n0 && n1 <= a1);
        let mut c0 = full::<f32>(t0, 0.0);
        for i1 in n0..n1 {
            let v999 = x2.at(i1, t0).load();
            c0 = c0 + v0;
        }
        y0.at(i0, t0).store(c0);
    }
}
