#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn sqrt<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
        for t in tiles(x) {
            y.at(t).store(x.at(t).load().wide().sqrt().cast::<T>());
        }
    }
}
