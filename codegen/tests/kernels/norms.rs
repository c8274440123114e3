//! Lists reduced across cores: blocks without a share of an item wait for those with one.

#[kernel]
pub fn norms(
    #[shape(n.., d)] xs: &[GlobalTensor<f32>],
    #[shape(1)] norms: &mut [GlobalTensor<f32>],
    #[shape(n.., d)] ys: &mut [GlobalTensor<f32>],
    #[inplace]
    #[shape(1)]
    large: &mut GlobalTensor<f32>,
) {
    for (x, norm, y) in zip((xs, norms, ys)) {
        let mut sum = across_cores::<f32>((), 0.0);
        for r in tiles(n) {
            let v = x.at(r, ..).load();
            sum += (v * v).sum((r, d));
        }
        let length = sum.sqrt();
        norm.at(0).store(length);
        if sum.scalar() > 1000.0 {
            large.at(0).store_any(full::<f32>((), 1.0));
        }
        for r in tiles(n) {
            y.at(r, ..).store(x.at(r, ..).load() / length);
        }
    }
}
