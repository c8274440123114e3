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
    let a0 = new_axis(1);
    for t0 in tiles(n) {
        let v0 = rstd.at(t0).load();
        let h0 = x.at(t0, ..).load();
        let v1 = h0.cast::<f32>();
        let v2 = v1 * v0;
        let h1 = dy.at(t0, ..).load();
        let v3 = h1.cast::<f32>();
        let h2 = gamma.at(..).load();
        let v4 = h2.cast::<f32>();
        let v5 = v3 * v4;
        let v6 = v5 * v2;
        let v7 = v6.mean(d);
        let v8 = v2 * v7;
        let v9 = v5 - v8;
        let v10 = v9 * v0;
        let h3 = v10.cast::<T>();
        dx.at(t0, ..).store(h3);
    }
    let mut c0 = across_cores::<f32>(d, 0.0);
    for t0 in tiles(n) {
        let h0 = dy.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let h1 = x.at(t0, ..).load();
        let v1 = h1.cast::<f32>();
        let v2 = v0 * v1;
        let v3 = rstd.at(t0).load();
        let v4 = v2 * v3;
        let v5 = v4.sum(t0);
        c0 = c0 + v5;
    }
    dgamma.at(..).store(c0);
}
