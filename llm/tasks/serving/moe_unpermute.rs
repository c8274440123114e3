#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn moe_unpermute<T: Float>(
        #[shape(m = n * k, d)] x: &GlobalTensor<T>,
        #[shape(n, k)]
        #[index(m)]
        inverse: &GlobalTensor<i32>,
        #[shape(n, k)] weights: &GlobalTensor<f32>,
        #[shape(n, d)] y: &mut GlobalTensor<T>,
    ) {
        for (i, t) in tiles((each(n), d)) {
            let rows = x.at(inverse.at(i, ..).load(), t).load().wide();
            y.at(i, t).store((rows * weights.at(i, ..).load()).sum(k).cast::<T>());
        }
    }
}
