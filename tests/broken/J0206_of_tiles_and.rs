use jumar::prelude::*;

#[kernel]
fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, 2 * d)] w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, ..).load() + w.at(r, ..).load());
    }
}
