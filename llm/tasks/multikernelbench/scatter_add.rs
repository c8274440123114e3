#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn scatter_add(
        #[shape(n, d)] x: &GlobalTensor<f32>,
        #[shape(n, k)]
        #[index(d)]
        idx: &GlobalTensor<i64>,
        #[shape(n, k)] updates: &GlobalTensor<f32>,
        #[shape(n, d)] y: &mut GlobalTensor<f32>,
    ) {
        for (r, t) in tiles((n, d)) {
            y.at(r, t).store(x.at(r, t).load());
        }
        for (i, t) in tiles((each(n), k)) {
            y.at(i, idx.at(i, t).load()).atomic_add(updates.at(i, t).load());
        }
    }
}
