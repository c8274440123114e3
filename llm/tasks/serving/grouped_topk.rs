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
        let (g, m, b, two) = (new_axis(groups), new_axis(e / groups), new_axis(best_groups), new_axis(2));
        let size = 1.0 / (e / groups) as f32;
        let group = ((e.iota().cast::<f32>() + 0.5) * size).cast_with::<i32>(RoundMode::Floor);
        let (grouped, bias_of) = (gating.view((n, g, m)), bias.view((g, m)));
        let mut scores = workspace::<f32>((n, g));
        for (r, i) in tiles((n, g)) {
            let (best, _) = (grouped.at(r, i, ..).load().sigmoid() + bias_of.at(i, ..).load()).topk(m, two);
            scores.at(r, i).store(best.sum(two));
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
            let w = if renormalize { w / w.sum(k) } else { w };
            weights.at(r, ..).store(w * scale);
            ids.at(r, ..).store(at);
        }
    }
}
