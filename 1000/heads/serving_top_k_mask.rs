use jumar::prelude::*;
#[kernel]
pub fn top_k_mask(
    #[shape(n, v)] #[inplace] logits: &mut GlobalTensor<f32>,
    #[shape(n)] k: &GlobalTensor<i32>,
    most: usize,
) {
    require(most >= 1 && most <= v);
    require(most <= 4096);
    require((v + 4095) / 4096 * most >= 1);
    require(most <= (v + 4095) / 4096 * most);
    require((v + 4095) / 4096 * most <= 8160);
    let a0 = new_axis((v + 4095) / 4096);
    let a1 = new_axis(4096);
    let a2 = new_axis(most);
    let a3 = new_axis((v + 4095) / 4096 * most);
    let y0 = workspace::<f32>((n, a0, a2));
    for (t0, i0) in tiles((n, each(a0))) {
        let v0 = logits.at(t0, a1.indices() + i0 * 4096).load_or(f32::NEG_INFINITY);
        let (v1, k0) = v0.topk(a1, a2);
        y0.at(t0, i0, a2.indices()).store(v1);
    }
    for t0 in tiles(n) {
        let v0 = y0.view((n, a3)).at(t0, ..).load();
        let (v1, k0) = v0.topk(a3, a2);
        let k1 = k.at(t0).load();
        let k2 = k1 - 1;
        let k3 = k2.max(0);
        let j0 = most as i32;
        let j1 = j0 - 1;
        let k4 = k3.min(j1);
        let v2 = v1.pick(a2, k4);
        let j2 = v as i32;
        let m0 = k1.ge(j2);
        let v3 = full::<f32>(t0, f32::NEG_INFINITY);
        let v4 = m0.select(v3, v2);
        for t1 in tiles(v) {
            let v5 = logits.at(t0, t1).load();
            let m1 = v5.lt(v4);
            let v6 = full::<f32>((t0, t1), f32::NEG_INFINITY);
            let v7 = m1.select(v6, v5);
            logits.at(t0, t1).store(v7);
        }
    }
}
