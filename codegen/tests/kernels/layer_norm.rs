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
    for r in row_tiles(x) {
        let v = r.load(x).cast::<f32>();
        let m = v.row_sum() * inv_d;
        let c = v - m;
        let var = (c * c).row_sum() * inv_d;
        let z = c / (var + eps).sqrt() * r.load_row(gamma).cast::<f32>() + r.load_row(beta).cast::<f32>();
        r.store(y, z.cast::<T>());
        r.store_col(mean, m);
    }
}
