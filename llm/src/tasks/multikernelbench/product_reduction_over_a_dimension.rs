use crate::tasks::reference::*;
use jumar::prelude::kernels;

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

pub fn reference(of: &Given) -> Due {
    let (m, d) = (of.size("m"), of.size("d"));
    let one = |i: usize| (0..m).map(|j| of["x"][(i / d * m + j) * d + i % d]).product();
    due("y", (0..of.size("n") * d).map(one).collect())
}
