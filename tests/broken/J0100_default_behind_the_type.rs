use jumar::prelude::*;

#[kernel]
pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, temperature: f32 = 1.0) {
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, ..).load() / temperature);
    }
}
