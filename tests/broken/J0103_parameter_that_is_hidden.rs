use jumar::prelude::*;

#[kernel]
pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] s: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        let s = v.sum(d);
        y.at(r, ..).store(v * s.at(r).load());
    }
}
