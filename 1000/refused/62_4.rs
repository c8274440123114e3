use jumar::prelude::*;
#[kernel]
pub fn op_descend(
    #[shape(a0)] #[index(a2)] x0: &GlobalTensor<i32>,
    #[shape(a0, a1)] x1: &GlobalTensor<f32>,
    #[shape(a2, a1)] #[inplace] y0: &mut GlobalTensor<f32>,
    #[default(0.5)] s0: f32,
) {
    for (t0, t1) in row_tiles((a0, a1)) {
        let k0 = x0.at(t0).load();
        let v0 = x1.at(t0, t1).load();
        let s1 = -s0;
        let v1 = v0 * s1;
        y0.at(k0, t1).atomic_add(v1);
    }
}
