#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn gather(
        #[shape(n, d)] x: &GlobalTensor<f32>,
        #[shape(n, k)]
        #[index(d)]
        idx: &GlobalTensor<i64>,
        #[shape(n, k)] y: &mut GlobalTensor<f32>,
    ) {
        for (i, t) in tiles((each(n), k)) {
            y.at(i, t).store(x.at(i, idx.at(i, t).load()).load());
        }
    }
}
