#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn top_k_mask(
        #[inplace]
        #[shape(n, v)]
        logits: &mut GlobalTensor<f32>,
        #[shape(n)] k: &GlobalTensor<i32>,
        most: usize,
    ) {
        require(most >= 1 && most <= v);
        let top = new_axis(most);
        let (c, p) = (new_axis(4096), new_axis((v + 4095) / 4096));
        let mut best = workspace::<f32>((n, p, top));
        for (r, part) in tiles((n, each(p))) {
            let (b, _) = logits.at(r, c.indices() + part * 4096).load_or(f32::NEG_INFINITY).topk(c, top);
            best.at(r, part, ..).store(b);
        }
        let m = new_axis(p * top);
        let best = best.view((n, m));
        for r in tiles(n) {
            let (b, _) = best.at(r, ..).load().topk(m, top);
            let own = k.at(r).load();
            let least = b.pick(top, (own - 1).max(0).min(most as i32 - 1));
            let limit = own.ge(v as i32).select(f32::NEG_INFINITY, least);
            for t in tiles(v) {
                let x = logits.at(r, t).load();
                logits.at(r, t).store(x.lt(limit).select(f32::NEG_INFINITY, x));
            }
        }
    }
}
