#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn group_norm_swish_grad<T: Float>(
        #[shape(n, c, p..)] dy: &GlobalTensor<T>,
        #[shape(n, g)] mean: &GlobalTensor<f32>,
        #[shape(n, g)] rstd: &GlobalTensor<f32>,
        #[shape(n, c, p..)] x: &GlobalTensor<T>,
        #[shape(c)] gamma: &GlobalTensor<T>,
        #[shape(c)] beta: &GlobalTensor<T>,
        #[shape(n, c, p..)] dx: &mut GlobalTensor<T>,
        #[shape(c)] dgamma: Option<&mut GlobalTensor<f32>>,
        #[shape(c)] dbeta: Option<&mut GlobalTensor<f32>>,
        swish_scale: f32,
    ) {
        let k = new_axis(c / g);
        let (x, dy, dx) = (x.view((n, g, k, p)), dy.view((n, g, k, p)), dx.view((n, g, k, p)));
        let (gamma, beta) = (gamma.view((g, k)), beta.view((g, k)));
        let (dgs, dbs) = (workspace::<f32>((n, g, k)), workspace::<f32>((n, g, k)));
        for (q, i) in tiles((each(n), each(g))) {
            let s = rstd.at(q, i).load();
            let h = (x.at(q, i, .., ..).load().wide() - mean.at(q, i).load()) * s;
            let scale = gamma.at(i, ..).load().wide();
            let u = h * scale + beta.at(i, ..).load().wide();
            let gate = (u * swish_scale).sigmoid();
            let du = dy.at(q, i, .., ..).load().wide() * (gate + u * swish_scale * gate * (1.0 - gate));
            if dbeta.is_some() {
                dbs.at(q, i, ..).store(du.sum(p));
            }
            if dgamma.is_some() {
                dgs.at(q, i, ..).store((du * h).sum(p));
            }
            let v = du * scale;
            let (a, b) = (v.mean((k, p)), (v * h).mean((k, p)));
            dx.at(q, i, .., ..).store(((v - a - h * b) * s).cast::<T>());
        }
        let (dgs, dbs) = (dgs.view((n, c)), dbs.view((n, c)));
        for t in tiles(c) {
            if let Some(dgamma) = dgamma {
                dgamma.at(t).store(dgs.at(.., t).load().sum(n));
            }
            if let Some(dbeta) = dbeta {
                dbeta.at(t).store(dbs.at(.., t).load().sum(n));
            }
        }
    }
}
