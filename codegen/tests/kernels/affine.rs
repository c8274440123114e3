/// A scale and a shift of each column, either of which may be left out.
#[kernel]
pub fn affine<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, #[shape(d)] gamma: Option<&GlobalTensor<T>>, #[shape(n, k)] table: Option<&GlobalTensor<f32>>,
    #[shape(n, d)] y: &mut GlobalTensor<T>) {
    for r in tiles(n) {
        let mut v = x.at(r, ..).load().cast::<f32>() * gamma.or_full(1.0).at(..).load().cast::<f32>();
        if let Some(table) = table {
            v = v + table.at(r, ..).load().sum(k);
        }
        y.at(r, ..).store(v.cast::<T>());
    }
}
