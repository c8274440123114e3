use jumar::prelude::*;

#[kernel]
pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(w) {
        y.at(t).store(w.at(t).load());
    }
}
