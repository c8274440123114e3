use jumar::prelude::*
#[kernel]
pub fn op_spmm(
    #[shape(a4 = a0 + 1)] x0: &GlobalTensor<i32>,
    #[shape(a1)] #[index(a2)] x1: &GlobalTensor<i32>,
    #[shape(a1)] x2: &GlobalTensor<f32>,
    #[shape(a2, a3)] x3: &GlobalTensor<f32>,
    #[shape(a0, a3)] y0: &mut GlobalTensor<f32>,
) {
    for (i0, t0) in tiles((each(a0), a3)) {
        let k0 = x0.at(i0).load();
        let j0 = k0.scalar();
        let n0 = j0 as usize;
        let k1 = x0.at(i0 + 1).load();
        let j1 = k1.scalar();
        let n1 = j1 as usize;
        assume(n0 >= 0 && n1 <= a1);
        let mut c0 = full::<f32>(t0, 0.0);
        for t1 in tiles(n0..n1) {
            let k2 = x1.at(t1).load();
            let v0 = x3.at(k2, t0).load();
            let v1 = x2.at(t1).load();
            let v2 = v0 * v1;
            let v3 = v2.sum(t1);
            c0 = c0 + v3;
        }
        y0.at(i0, t0).store(c0);
    }
}
