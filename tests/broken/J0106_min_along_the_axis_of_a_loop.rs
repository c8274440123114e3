use jumar::prelude::*;

#[kernel]
pub fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
    for c in tiles(d) {
        let mut least = full(c, f32::INFINITY);
        for r in tiles(n) {
            least = least.min(x.at(r, c).load().min(r));
        }
        y.at(c).store(least);
    }
}
