#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn residual_dropout_add<T: Float>(
        x: &GlobalTensor<T>,
        residual: &GlobalTensor<T>,
        keep: &GlobalTensor<bool>,
        p: f32,
        y: &mut GlobalTensor<T>,
    ) {
        let scale = 1.0 / (1.0 - p);
        for t in tiles(x) {
            let v = keep.at(t).load().select(x.at(t).load().wide() * scale, 0.0);
            y.at(t).store((residual.at(t).load().wide() + v).cast::<T>());
        }
    }
}
