#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn foreach_log<T: Float>(xs: &[GlobalTensor<T>], ys: &mut [GlobalTensor<T>]) {
        for (x, y) in zip((xs, ys)) {
            for t in tiles(x) {
                let v = x.at(t).load().wide();
                y.at(t).store(v.ln().cast::<T>());
            }
        }
    }
}
