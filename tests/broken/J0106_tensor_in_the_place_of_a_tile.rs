use jumar::prelude::*;

#[kernel]
pub fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] w: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load() + w);
    }
}
