#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn deep_norm<T: Float>(
        #[shape(n.., d)] x: &GlobalTensor<T>,
        #[shape(n.., d)] gx: &GlobalTensor<T>,
        #[shape(d)] beta: &GlobalTensor<T>,
        #[shape(d)] gamma: &GlobalTensor<T>,
        #[shape(n..)] mean: &mut GlobalTensor<f32>,
        #[shape(n..)] rstd: &mut GlobalTensor<f32>,
        y: &mut GlobalTensor<T>,
        alpha: f32,
        epsilon: f32,
    ) {
        for r in tiles(n) {
            let v = x.at(r, ..).load().wide() * alpha + gx.at(r, ..).load().wide();
            let m = v.mean(d);
            let e = v - m;
            let s = 1.0 / ((e * e).mean(d) + epsilon).sqrt();
            mean.at(r).store(m);
            rstd.at(r).store(s);
            y.at(r, ..).store((e * s * gamma.at(..).load().wide() + beta.at(..).load().wide()).cast::<T>());
        }
    }
}
