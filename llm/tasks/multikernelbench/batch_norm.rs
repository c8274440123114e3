#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn batch_norm(
        #[shape(n, c, p..)] x: &GlobalTensor<f32>,
        #[shape(c)] gamma: &GlobalTensor<f32>,
        #[shape(c)] beta: &GlobalTensor<f32>,
        y: &mut GlobalTensor<f32>,
        eps: f32,
    ) {
        let one_of = 1.0 / (n * p) as f32;
        let mut sum = across_cores::<f32>(c, 0.0);
        for (i, t) in tiles((n, p)) {
            sum += x.at(i, .., t).load().sum((i, t));
        }
        let mean = sum * one_of;
        let mut squares = across_cores::<f32>(c, 0.0);
        for (i, t) in tiles((n, p)) {
            squares += (x.at(i, .., t).load() - mean).square().sum((i, t));
        }
        let scale = gamma.at(..).load() / (squares * one_of + eps).sqrt();
        for (i, t) in tiles((n, p)) {
            y.at(i, .., t).store((x.at(i, .., t).load() - mean) * scale + beta.at(..).load());
        }
    }
}
