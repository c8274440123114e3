#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn foreach_reciprocal<T: Float>(xs: &[GlobalTensor<T>], ys: &mut [GlobalTensor<T>]) {
        for (x, y) in zip((xs, ys)) {
            for t in tiles(x) {
                let v = x.at(t).load().wide();
                y.at(t).store((full::<f32>(t, 1.0) / v).cast::<T>());
            }
        }
    }
}
