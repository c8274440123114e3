//! chip: ascend310p
use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<bf16>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load().cast::<f32>());
    }
}
