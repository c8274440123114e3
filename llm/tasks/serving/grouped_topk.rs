#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn grouped_topk(
        #[shape(n, e)] gating: &GlobalTensor<f32>,
        #[shape(e)] bias: &GlobalTensor<f32>,
        #[shape(n, k)] weights: &mut GlobalTensor<f32>,
        #[shape(n, k)] ids: &mut GlobalTensor<i32>,
        k: usize,
        groups: usize,
        best_groups: usize,
        renormalize: bool,
        scale: f32,
    ) {
        require(groups >= 1 && best_groups >= 1 && best_groups <= groups);
        require(e % groups == 0 && e >= 2 * groups && k <= e);
        let (g, m, b) = (new_axis(groups), new_axis(e / groups), new_axis(best_groups));
        let group = ((e.iota().cast::<f32>() + 0.5) * (groups as f32 / e as f32)).cast_with::<i32>(RoundMode::Floor);
        let mut scores = workspace::<f32>((n, g));
        for (r, i) in tiles((n, g)) {
            let s = gating.view((n, g, m)).at(r, i, ..).load().sigmoid() + bias.view((g, m)).at(i, ..).load();
            let rest = s.argmax(m).expand(m).eq(m.iota()).select(f32::NEG_INFINITY, s);
            scores.at(r, i).store(s.amax(m) + rest.amax(m));
        }
        for r in tiles(n) {
            let (_, chosen) = scores.at(r, ..).load().topk(g, b);
            let mut kept = full((r, e), 0.0);
            for i in 0..best_groups {
                kept = kept.max(group.expand(r).eq(chosen.pick(b, i)).select(1.0, 0.0));
            }
            let p = gating.at(r, ..).load().sigmoid();
            let (_, at) = kept.gt(0.0).select(p + bias.at(..).load(), f32::NEG_INFINITY).topk(e, k);
            let w = p.pick(e, at);
            weights.at(r, ..).store((if renormalize { w / w.sum(k) } else { w }) * scale);
            ids.at(r, ..).store(at);
        }
    }
}
