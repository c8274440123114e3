//! chip: ascend310p
use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, #[shape(8)] i: &GlobalTensor<i32>) {
    for t in tiles(x) {
        y.at(t).atomic_add(x.at(t).load());
    }
}
