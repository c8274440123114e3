#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn average_pooling_1d(
        #[shape(n.., w)] x: &GlobalTensor<f32>,
        #[shape(n.., ow = (w + 2 * border - k) / step + 1)] y: &mut GlobalTensor<f32>,
        k: usize,
        step: usize,
        border: usize,
    ) {
        require(step >= 1);
        require(k >= 1);
        require(k <= w + 2 * border);
        for (r, t) in tiles((n, ow)) {
            let mut sum = full((r, t), 0.0);
            for q in 0..k {
                sum = sum + x.at(r, t * step + q - border).load_or(0.0);
            }
            y.at(r, t).store(sum / k as f32);
        }
    }
}
