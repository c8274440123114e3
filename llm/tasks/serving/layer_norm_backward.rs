#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn layer_norm_backward<T: Float>(
        #[shape(n, d)] dy: &GlobalTensor<T>,
        #[shape(n, d)] x: &GlobalTensor<T>,
        #[shape(n)] mean: &GlobalTensor<f32>,
        #[shape(n)] rstd: &GlobalTensor<f32>,
        #[shape(d)] gamma: &GlobalTensor<T>,
        #[shape(n, d)] dx: &mut GlobalTensor<T>,
        #[shape(d)] dgamma: &mut GlobalTensor<f32>,
        #[shape(d)] dbeta: &mut GlobalTensor<f32>,
    ) {
        for r in tiles(n) {
            let s = rstd.at(r).load();
            let h = (x.at(r, ..).load().wide() - mean.at(r).load()) * s;
            let u = dy.at(r, ..).load().wide() * gamma.at(..).load().wide();
            dx.at(r, ..).store(((u - u.mean(d) - h * (u * h).mean(d)) * s).cast::<T>());
        }
        let mut dg = across_cores::<f32>(d, 0.0);
        let mut db = across_cores::<f32>(d, 0.0);
        for r in tiles(n) {
            let g = dy.at(r, ..).load().wide();
            db += g.sum(r);
            dg += (g * (x.at(r, ..).load().wide() - mean.at(r).load()) * rstd.at(r).load()).sum(r);
        }
        dgamma.at(..).store(dg);
        dbeta.at(..).store(db);
    }
}
