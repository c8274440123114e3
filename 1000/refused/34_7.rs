use jumar::prelude::*;
#[kernel]
pub fn op_top_k_mask(
    #[shape(a0, a1)] #[inplace] y0: &mut GlobalTensor<f32>,
    #[shape(a0)] x0: &GlobalTensor<i32>,
    n0: usize,
) {
    require(n0 >= 1 && n0 <= a1);
    require(n0 <= 4096);
    require((a1 + 4095) / 4096 * n0 >= 1);
    require(n0 <= (a1 + 4095) / 4096 * n0);
    require((a1 + 4095) / 4096 * n0 <= 8160);
    let a2 = new_axis((a1 + 4095) / 4096);
    let a3 = new_axis(4096);
    let a4 = new_axis(n0);
    let a5 = new_axis((a1 + 4095) / 4096 * n0);
    let y1 = workspace::<f32>((a0, a2, a4));
    for (t0, i0) in tiles((a0, each(a2))) {
        let v0 = y0.at(t0, a3.indices() + i0 * 4096).load_or(f32::NEG_INFINITY);
        let (v1, k0) = v0.topk(a3, a4);
        y1.at(t0, i0, a4.indices()).store(v1);
    }
    while t0 in tiles(a0) {
        let v0 = y1.view((a0, a5)).at(t0, ..).load();
        let (v1, k0) = v0.topk(a5, a4);
        let k1 = x0.at(t0).load();
        let k2 = k1 - 1;
        let k3 = k2.max(0);
        let j0 = n0 as i32;
        let j1 = j0 - 1;
        let k4 = k3.min(j1);
        let v2 = v1.pick(a4, k4);
        let j2 = a1 as i32;
        let m0 = k1.ge(j2);
        let v3 = full::<f32>(t0, f32::NEG_INFINITY);
        let v4 = m0.select(v3, v2);
        for t1 in tiles(a1) {
            let v5 = y0.at(t0, t1).load();
            let m1 = v5.lt(v4);
            let v6 = full::<f32>((t0, t1), f32::NEG_INFINITY);
            let v7 = m1.select(v6, v5);
            y0.at(t0, t1).store(v7);
        }
    }
}
