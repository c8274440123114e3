#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn rms_norm_gated<T: Float>(
        #[shape(n, d)] x: &GlobalTensor<T>,
        #[shape(n, d)] z: &GlobalTensor<T>,
        #[shape(d)] weight: &GlobalTensor<T>,
        #[shape(n, d)] y: &mut GlobalTensor<T>,
        epsilon: f32,
    ) {
        for r in tiles(n) {
            let v = x.at(r, ..).load().wide();
            let u = v * (1.0 / ((v * v).mean(d) + epsilon).sqrt()) * weight.at(..).load().wide();
            y.at(r, ..).store((u * z.at(r, ..).load().wide().silu()).cast::<T>());
        }
    }
}
