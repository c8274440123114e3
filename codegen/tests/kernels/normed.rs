/// Rows less their mean, over their deviation.
#[kernel]
#[instances(f16)]
pub fn normed<T: Float>(#[shape(n, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load().cast::<f32>();
        let c = v - v.mean(d);
        y.at(r, ..).store((c / ((c * c).mean(d) + 1e-5).sqrt()).cast::<T>());
    }
}
