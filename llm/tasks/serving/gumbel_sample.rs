#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn gumbel_sample<T: Float>(
        #[shape(n, v)] logits: &GlobalTensor<T>,
        #[shape(n)] temperature: &GlobalTensor<f32>,
        #[shape(n, v)] noise: &GlobalTensor<f32>,
        #[shape(n)] tokens: &mut GlobalTensor<i64>,
    ) {
        for r in tiles(n) {
            let x = logits.at(r, ..).load().wide();
            let by = temperature.at(r).load();
            let score = by.eq(0.0).select(x, x / by + noise.at(r, ..).load());
            tokens.at(r).store(score.argmax(v).cast::<i64>());
        }
    }
}
