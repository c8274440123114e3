use jumar::prelude::*;

#[kernel]
fn k(#[shape(n, m)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        for c in tiles(d) {
            y.at(r, c).store(x.at(r, c).load());
        }
    }
}
