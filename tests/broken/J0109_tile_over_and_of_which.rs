use jumar::prelude::*;

#[kernel]
fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, k)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let s = x.at(r, ..).load().sum(d);
        let w = w.at(r, ..).load();
        let u = full((d, k), 1.0);
        y.at(r).store(s + w.sum(k) + u.sum((d, k)));
    }
}
