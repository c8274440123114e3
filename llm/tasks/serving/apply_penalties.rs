#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn apply_penalties<T: Float>(
        #[inplace]
        #[shape(n, v)]
        logits: &mut GlobalTensor<T>,
        #[shape(n, v)] in_prompt: &GlobalTensor<bool>,
        #[shape(n, v)] counts: &GlobalTensor<i32>,
        #[shape(n)] repetition: &GlobalTensor<f32>,
        #[shape(n)] frequency: &GlobalTensor<f32>,
        #[shape(n)] presence: &GlobalTensor<f32>,
    ) {
        for (r, t) in tiles((n, v)) {
            let count = counts.at(r, t).load().cast::<f32>();
            let written = count.gt(0.0);
            let by = (in_prompt.at(r, t).load() | written).select(repetition.at(r).load().expand(t), 1.0);
            let x = logits.at(r, t).load().wide();
            let x = x.gt(0.0).select(x / by, x * by);
            let x = x - count * frequency.at(r).load() - written.select(presence.at(r).load().expand(t), 0.0);
            logits.at(r, t).store(x.cast::<T>());
        }
    }
}
