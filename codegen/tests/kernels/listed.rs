//! Lists: a number of the launch for each item, a tensor of numbers, one updated in place.

#[kernel]
pub fn listed<T: Float>(
    #[list(l)] xs: &[GlobalTensor<T>],
    #[inplace] ys: &mut [GlobalTensor<T>],
    alphas: &[f32],
    #[shape(l)] ks: &GlobalTensor<f32>,
    zs: &mut [GlobalTensor<f32>],
    #[default(1.0)] beta: f32,
) {
    for (i, (x, y, a, z)) in zip((xs, ys, alphas, zs)).enumerate() {
        let k = ks.at(i).load();
        for t in tiles(x) {
            let v = x.at(t).load().cast::<f32>() * a + y.at(t).load().cast::<f32>() * beta;
            y.at(t).store(v.cast::<T>());
            z.at(t).store(v * k + i as f32);
        }
    }
}
