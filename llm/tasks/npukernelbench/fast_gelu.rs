#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, f32)]
    pub fn fast_gelu<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
        for t in tiles(x) {
            let v = x.at(t).load().wide();
            let a = v.abs();
            y.at(t).store((v * ((v - a) * 0.851).exp() / ((a * -1.702).exp() + 1.0)).cast::<T>());
        }
    }
}
