#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn swish<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(1.0)] scale: f32) {
        for t in tiles(x) {
            let v = x.at(t).load().wide();
            y.at(t).store((v * (v * scale).sigmoid()).cast::<T>());
        }
    }
}
