#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn is_inf<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<bool>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load().is_inf());
        }
    }
}
