#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn less_equal<T: Float>(x1: &GlobalTensor<T>, x2: &GlobalTensor<T>, y: &mut GlobalTensor<bool>) {
        for t in tiles(x1) {
            y.at(t).store(x1.at(t).load().le(x2.at(t).load()));
        }
    }
}
