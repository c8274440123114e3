use jumar::prelude::*;
#[kernel]
pub fn op_experts(
    #[shape(a0, a1)] x0: &GlobalTensor<f32>,
    #[shape(a0, n0)] y0: &mut GlobalTensor<f32>,
    #[shape(a0, n0)] y1: &mut GlobalTensor<i32>,
    n0: usize,
) {
    require(a1 >= 1);
    require(n0 <= a1);
    require(n0 >= 1);
    require(a1 <= 8160);
    for t0 in tiles(a0) {
        let v0 = x0.at(t0, ..).load();
        let (v1, k0) = v0.topk(a1, n0);
        let v2 = v1.amax(n0);
        let v3 = v1 - v2;
        let v4 = v3.exp();
        let v5 = v4.sum(n0);
        let v6 = v4 / v5;
        y0.at(t0, ..).write(v6);
        y1.at(t0, ..).store(k0);
    }
}
