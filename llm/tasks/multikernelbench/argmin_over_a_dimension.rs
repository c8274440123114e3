#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn argmin_over_a_dimension(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<i64>) {
        for (i, t) in tiles((each(n), d)) {
            y.at(i, t).store(x.at(i, .., t).load().argmin(m).cast::<i64>());
        }
    }
}
