#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn average_pooling_2d(
        #[shape(n.., h, w)] x: &GlobalTensor<f32>,
        #[shape(n.., oh = h / k, ow = w / k)] y: &mut GlobalTensor<f32>,
        k: usize,
    ) {
        require(k >= 1);
        for (i, r, t) in tiles((each(n), oh, ow)) {
            let mut sum = full((r, t), 0.0);
            for p in 0..k {
                for q in 0..k {
                    sum = sum + x.at(i, r * k + p, t * k + q).load();
                }
            }
            y.at(i, r, t).store(sum / (k * k) as f32);
        }
    }
}
