#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn deep_norm_grad<T: Float>(
        #[shape(n.., d)] dy: &GlobalTensor<T>,
        #[shape(n.., d)] x: &GlobalTensor<T>,
        #[shape(n.., d)] gx: &GlobalTensor<T>,
        #[shape(d)] gamma: &GlobalTensor<T>,
        #[shape(n..)] mean: &GlobalTensor<f32>,
        #[shape(n..)] rstd: &GlobalTensor<f32>,
        dx: &mut GlobalTensor<T>,
        dgx: &mut GlobalTensor<T>,
        #[shape(d)] dbeta: &mut GlobalTensor<f32>,
        #[shape(d)] dgamma: &mut GlobalTensor<f32>,
        alpha: f32,
    ) {
        let mut db = across_cores::<f32>(d, 0.0);
        let mut dg = across_cores::<f32>(d, 0.0);
        for r in tiles(n) {
            let (g, s) = (dy.at(r, ..).load().wide(), rstd.at(r).load());
            let h = (x.at(r, ..).load().wide() * alpha + gx.at(r, ..).load().wide() - mean.at(r).load()) * s;
            let u = g * gamma.at(..).load().wide();
            let v = (u - u.mean(d) - h * (u * h).mean(d)) * s;
            dgx.at(r, ..).store(v.cast::<T>());
            dx.at(r, ..).store((v * alpha).cast::<T>());
            db += g.sum(r);
            dg += (g * h).sum(r);
        }
        dbeta.at(..).store(db);
        dgamma.at(..).store(dg);
    }
}
