use jumar::prelude::*;
#[kernel]
pub fn op_vocabulary(
    #[shape(a0, a1)] x0: &GlobalTensor<f32>,
    #[shape(a0, n0)] y0: &mut GlobalTensor<f32>,
    #[shape(a0, n0)] y1: &mut GlobalTensor<i32>,
    n0: usize,
) {
    require(n0 >= 1 && a1 >= n0);
    require(n0 <= 4096);
    require((a1 + 4095) / 4096 * n0 >= 1);
    require(n0 <= (a1 + 4095) / 4096 * n0);
    require((a1 + 4095) / 4096 * n0 <= 8160);
    let a2 = new_axis((a1 + 4095) / 4096);
    let a3 = new_axis(4096);
    let a4 = new_axis((a1 + 4095) / 4096 * n0);
    let y2 = workspace::<f32>((a0, a2, n0));
    let y3 = workspace::<i32>((a0, a2, n0));
    for (t0, i0) in tiles((a0, each(a2))) {
        let v0 = x0.at(t0, a3.indices() + i0 * 4096).load_or(f32::NEG_INFINITY);
        let (v1, k0) = v0.topk(a3, n0);
        y2.at(t0, i0, ..).store(v1);
        let n1 = i0 * 4096;
        let j0 = n1 as i32;
        let k1 = k0 + j0;
        y3.at(t0, i0, ..).store(k1);
    }
    for t0 in tiles(a0) {
        let v0 = y2.view((a0, a4)).at(t0, ..).load();
        let (v1, k0) = v0.topk(a4, n0);
        y0.at(t0, ..).store(v1);
        let k1 = y3.view((a0, a4)).at(t0, ..).load();
        let k2 = k1.pick(a4, k0);
        y1.at(t0, ..).store(k2);
    }
}
