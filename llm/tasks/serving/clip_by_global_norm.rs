#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn clip_by_global_norm<T: Float>(
        #[inplace] xs: &mut [GlobalTensor<T>],
        #[shape()] norm: &GlobalTensor<f32>,
        max_norm: f32,
    ) {
        let scale = (max_norm / (norm.at().load() + 1e-6)).min(1.0);
        for x in zip(xs) {
            for t in tiles(x) {
                x.at(t).store((x.at(t).load().wide() * scale).cast::<T>());
            }
        }
    }
}
