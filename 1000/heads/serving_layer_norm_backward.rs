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
    let a0 = new_axis(1);
    for t0 in tiles(n) {
        let v0 = rstd.at(t0).load();
        let h0 = x.at(t0, ..).load();
        let v1 = h0.cast::<f32>();
        let v2 = mean.at(t0).load();
        let v3 = v1 - v2;
        let v4 = v3 * v0;
        let h1 = dy.at(t0, ..).load();
        let v5 = h1.cast::<f32>();
        let h2 = gamma.at(..).load();
        let v6 = h2.cast::<f32>();
        let v7 = v5 * v6;
        let v8 = v7.mean(d);
        let v9 = v7 - v8;
        let v10 = v7 * v4;
        let v11 = v10.mean(d);
        let v12 = v4 * v11;
        let v13 = v9 - v12;
        let v14 = v13 * v0;
        let h3 = v14.cast::<T>();
        dx.at(t0, ..).store(h3);
    }
    let mut c0 = across_cores::<f32>(d, 0.0);
    let mut c1 = across_cores::<f32>(d, 0.0);
    for t0 in tiles(n) {
        let h0 = dy.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0.sum(t0);
        c1 = c1 + v1;
        let h1 = x.at(t0, ..).load();
        let v2 = h1.cast::<f32>();
        let v3 = mean.at(t0).load();
        let v4 = v2 - v3;
        let v5 = v0 * v4;
        let v6 = rstd.at(t0).load();
        let v7 = v5 * v6;
        let v8 = v7.sum(t0);
        c0 = c0 + v8;
    }
    dgamma.at(..).store(c0);
    dbeta.at(..).store(c1);
}
