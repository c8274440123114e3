#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn temperature_softmax<T: Float>(
        #[shape(n, v)] logits: &GlobalTensor<T>,
        #[shape(n)] temperature: &GlobalTensor<f32>,
        #[shape(n, v)] probs: &mut GlobalTensor<f32>,
    ) {
        for r in tiles(n) {
            let x = logits.at(r, ..).load().wide() * (1.0 / temperature.at(r).load());
            let e = (x - x.amax(v)).exp();
            probs.at(r, ..).store(e / e.sum(v));
        }
    }
}
