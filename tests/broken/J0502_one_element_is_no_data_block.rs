//! chip: ascend310p
use jumar::prelude::*;

#[kernel]
fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(1)] bias: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    let b = bias.at(0).load();
    for t in tiles(n) {
        y.at(t).store(x.at(t).load() + b);
    }
}
