#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn dropout_backward<T: Float>(dy: &GlobalTensor<T>, keep: &GlobalTensor<bool>, p: f32, dx: &mut GlobalTensor<T>) {
        let scale = if p < 1.0 { 1.0 / (1.0 - p) } else { 0.0 };
        for t in tiles(dy) {
            dx.at(t).store(keep.at(t).load().select(dy.at(t).load().wide() * scale, 0.0).cast::<T>());
        }
    }
}
