#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn gelu_grad<T: Float>(dy: &GlobalTensor<T>, x: &GlobalTensor<T>, z: &mut GlobalTensor<T>) {
        for t in tiles(x) {
            let v = x.at(t).load().wide();
            let s = ((v * v * 0.071_354_814 + 1.595_769_1) * v).sigmoid();
            let slope = s + v * s * (1.0 - s) * (v * v * 0.214_064_44 + 1.595_769_1);
            z.at(t).store((dy.at(t).load().wide() * slope).cast::<T>());
        }
    }
}
