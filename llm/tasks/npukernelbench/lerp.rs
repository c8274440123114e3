#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, f32)]
    pub fn lerp<T: Float>(start: &GlobalTensor<T>, end: &GlobalTensor<T>, weight: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
        for t in tiles(start) {
            let (s, e) = (start.at(t).load().wide(), end.at(t).load().wide());
            y.at(t).store((s + weight.at(t).load().wide() * (e - s)).cast::<T>());
        }
    }
}
