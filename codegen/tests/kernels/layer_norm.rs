/// Layer normalisation of each row.
#[kernel]
pub fn layer_norm<T: Float>(
    #[shape(n.., d)] x: &GlobalTensor<T>,
    #[shape(d)] gamma: &GlobalTensor<T>,
    #[shape(d)] beta: &GlobalTensor<T>,
    y: &mut GlobalTensor<T>,
    #[shape(n..)] mean: &mut GlobalTensor<f32>,
    #[default(1e-5)] eps: f32,
) {
    require(eps >= 0.0);
    let inv_d = 1.0 / d as f32;
    for r in tiles(n) {
        let v = x.at(r, ..).load().cast::<f32>();
        let m = v.sum(d) * inv_d;
        let c = v - m;
        let var = (c * c).sum(d) * inv_d;
        let z = c / (var + eps).sqrt() * gamma.at(..).load().cast::<f32>() + beta.at(..).load().cast::<f32>();
        y.at(r, ..).store(z.cast::<T>());
        mean.at(r).store(m);
    }
}
