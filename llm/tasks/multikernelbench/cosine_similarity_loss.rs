#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn cosine_similarity_loss(
        #[shape(n, d)] predictions: &GlobalTensor<f32>,
        #[shape(n, d)] targets: &GlobalTensor<f32>,
        #[shape()] loss: &mut GlobalTensor<f32>,
    ) {
        let mut sum = across_cores::<f32>((), 0.0);
        for r in tiles(n) {
            let (p, t) = (predictions.at(r, ..).load(), targets.at(r, ..).load());
            let norms = (p * p).sum(d).sqrt() * (t * t).sum(d).sqrt();
            sum += ((p * t).sum(d) / norms).sum(r);
        }
        loss.at().store(1.0 - sum / n as f32);
    }
}
