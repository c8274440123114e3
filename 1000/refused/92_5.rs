use jumar::prelude::*;
#[kernel]
pub fn op_centred(
    #[shape(a0, a1, a2..)] x0: &LocalTensor<f32>,
    #[shape(a0, a1, a2..)] y0: &mut GlobalTensor<f32>,
    n0: usize,
) {
    require(n0 >= 1);
    require(a1 % n0 == 0);
    require(a0 * a1 * a2 == a0 * n0 * (a1 / n0) * a2);
    let a3 = new_axis(n0);
    let a4 = new_axis(a1 / n0);
    for (t0, t1) in tiles((a0, a3)) {
        let v0 = x0.view((a0, a3, a4, a2)).at(t0, t1, .., ..).load();
        let v1 = v0.sum((a2, a4));
        let n1 = a1 / n0 * a2;
        let s0 = n1 as f32;
        let s1 = 1.0 / s0;
        let v2 = v1 * s1;
        let v3 = v0 - v2;
        y0.view((a0, a3, a4, a2)).at(t0, t1, .., ..).store(v3);
    }
}
