use jumar::prelude::*;
#[kernel]
pub fn op_counted(
    #[shape(a0)] #[index(n0)] x0: &GlobalTensor<i32>,
    #[shape(a0, a1)] x1: &GlobalTensor<f32>,
    #[shape(n0, a1)] y0: &mut GlobalTensor<f32>,
    #[shape(n0, a2 = 8)] y1: &mut GlobalTensor<i32>,
    n0: usize,
) {
    for t0 in tiles(a0) {
        let k0 = x0.at(t0).load();
        let v0 = x1.at(t0, ..).load();
        y0.at(k0, ..).atomic_add(v0);
        let k1 = full::<i32>((a2, t0), 1);
        y1.at(k0, ..).atomic_add(k1);
    }
}
