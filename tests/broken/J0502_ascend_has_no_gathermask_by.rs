//! chip: ascend310p
use jumar::prelude::*;

#[kernel]
fn k(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let v = x.at(t).load();
        y.append(v, v.gt(0.0));
    }
}
