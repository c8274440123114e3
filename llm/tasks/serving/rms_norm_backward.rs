#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn rms_norm_backward<T: Float>(
        #[shape(n, d)] dy: &GlobalTensor<T>,
        #[shape(n, d)] x: &GlobalTensor<T>,
        #[shape(n)] rstd: &GlobalTensor<f32>,
        #[shape(d)] gamma: &GlobalTensor<T>,
        #[shape(n, d)] dx: &mut GlobalTensor<T>,
        #[shape(d)] dgamma: &mut GlobalTensor<f32>,
    ) {
        for r in tiles(n) {
            let s = rstd.at(r).load();
            let h = x.at(r, ..).load().wide() * s;
            let u = dy.at(r, ..).load().wide() * gamma.at(..).load().wide();
            dx.at(r, ..).store(((u - h * (u * h).mean(d)) * s).cast::<T>());
        }
        let mut dg = across_cores::<f32>(d, 0.0);
        for r in tiles(n) {
            dg += (dy.at(r, ..).load().wide() * x.at(r, ..).load().wide() * rstd.at(r).load()).sum(r);
        }
        dgamma.at(..).store(dg);
    }
}
