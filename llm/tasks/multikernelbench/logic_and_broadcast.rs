#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn logic_and_broadcast(
        #[shape(n, m, d)] a: &GlobalTensor<bool>,
        #[shape(m)] b: &GlobalTensor<bool>,
        y: &mut GlobalTensor<bool>,
    ) {
        for (i, r, t) in tiles((each(n), m, d)) {
            y.at(i, r, t).store(a.at(i, r, t).load() & b.at(r).load());
        }
    }
}
