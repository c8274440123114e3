#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn add_rms_norm_residual<T: Float>(
        #[inplace]
        #[shape(n, d)]
        x: &mut GlobalTensor<T>,
        #[inplace]
        #[shape(n, d)]
        residual: &mut GlobalTensor<T>,
        #[shape(d)] weight: &GlobalTensor<T>,
        epsilon: f32,
    ) {
        for r in tiles(n) {
            let v = (x.at(r, ..).load().wide() + residual.at(r, ..).load().wide()).cast::<T>();
            residual.at(r, ..).store(v);
            let u = v.wide();
            let rstd = 1.0 / ((u * u).mean(d) + epsilon).sqrt();
            x.at(r, ..).store((u * rstd * weight.at(..).load().wide()).cast::<T>());
        }
    }
}
