#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn max_broadcast(
        #[shape(n, d)] a: &GlobalTensor<f32>,
        #[shape(m)] b: &GlobalTensor<f32>,
        #[shape(n, m, d)] y: &mut GlobalTensor<f32>,
    ) {
        for (i, r, t) in tiles((each(n), m, d)) {
            y.at(i, r, t).store(a.at(i, t).load().expand(r).max(b.at(r).load()));
        }
    }
}
