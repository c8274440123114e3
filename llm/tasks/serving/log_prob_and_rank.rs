#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn log_prob_and_rank<T: Float>(
        #[shape(n, v)] logits: &GlobalTensor<T>,
        #[shape(n)]
        #[index(v)]
        tokens: &GlobalTensor<i64>,
        #[shape(n)] log_prob: &mut GlobalTensor<f32>,
        #[shape(n)] rank: &mut GlobalTensor<i32>,
    ) {
        for r in each(n) {
            let x = logits.at(r, ..).load().wide();
            let own = logits.at(r, tokens.at(r).load()).load().wide();
            let top = x.amax(v);
            log_prob.at(r).store(own - top - (x - top).exp().sum(v).ln());
            rank.at(r).store(x.ge(own).select(1.0, 0.0).sum(v).cast::<i32>());
        }
    }
}
