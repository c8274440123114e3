#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, f32)]
    pub fn fast_gelu_grad<T: Float>(dy: &GlobalTensor<T>, x: &GlobalTensor<T>, z: &mut GlobalTensor<T>) {
        for t in tiles(x) {
            let v = x.at(t).load().wide();
            let a = v.abs();
            let e = (a * -1.702).exp();
            let d = (e + v * 1.702 * e + ((v - a) * 1.702).exp()) / (e + 1.0).square();
            z.at(t).store((dy.at(t).load().wide() * d).cast::<T>());
        }
    }
}
