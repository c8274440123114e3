#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn recovered_tokens(
        #[shape(n, v)] draft_probs: Option<&GlobalTensor<f32>>,
        #[shape(n, v)] target_probs: &GlobalTensor<f32>,
        #[shape(n)] draft: &GlobalTensor<i32>,
        #[shape(n, v)] q: &GlobalTensor<f32>,
        #[shape(n)] tokens: &mut GlobalTensor<i32>,
    ) {
        for r in tiles(n) {
            let p = target_probs.at(r, ..).load();
            let rest = if let Some(draft_probs) = draft_probs {
                (p - draft_probs.at(r, ..).load()).max(0.0)
            } else {
                v.iota().expand(r).eq(draft.at(r).load()).select(0.0, p)
            };
            tokens.at(r).store((rest / q.at(r, ..).load()).argmax(v));
        }
    }
}
