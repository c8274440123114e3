use jumar::prelude::*;

#[kernel]
#[deterministic]
fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(..).atomic_add(x.at(r, ..).load().sum(r));
    }
}
