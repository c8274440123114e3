#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn product_reduction_over_a_dimension(#[shape(n, m, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
        for (i, t) in tiles((each(n), d)) {
            let mut product = full(t, 1.0);
            for j in tiles(m) {
                product = product * x.at(i, j, t).load().prod(j);
            }
            y.at(i, t).store(product);
        }
    }
}
