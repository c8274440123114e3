#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn subtract_with_bias_broadcast(
        #[shape(n.., d)] x: &GlobalTensor<f32>,
        #[shape(d)] bias: &GlobalTensor<f32>,
        y: &mut GlobalTensor<f32>,
    ) {
        for (r, t) in tiles((n, d)) {
            y.at(r, t).store(x.at(r, t).load() - bias.at(t).load());
        }
    }
}
