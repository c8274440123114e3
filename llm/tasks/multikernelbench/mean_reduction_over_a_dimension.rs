#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn mean_reduction_over_a_dimension(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
        for (i, t) in tiles((each(n), d)) {
            let mut sum = full(t, 0.0);
            for j in tiles(m) {
                sum = sum + x.at(i, j, t).load().sum(j);
            }
            y.at(i, t).store(sum / m as f32);
        }
    }
}
