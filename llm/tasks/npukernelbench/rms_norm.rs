#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn rms_norm<T: Float>(
        #[shape(n.., d)] x: &GlobalTensor<T>,
        #[shape(d)] gamma: &GlobalTensor<T>,
        y: &mut GlobalTensor<T>,
        #[shape(n..)] rstd: &mut GlobalTensor<f32>,
        epsilon: f32,
    ) {
        for r in tiles(n) {
            let v = x.at(r, ..).load().wide();
            let s = 1.0 / ((v * v).mean(d) + epsilon).sqrt();
            rstd.at(r).store(s);
            y.at(r, ..).store((v * s * gamma.at(..).load().wide()).cast::<T>());
        }
    }
}
