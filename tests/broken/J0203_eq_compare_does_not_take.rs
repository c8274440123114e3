//! chip: ascend310p
use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let v = x.at(t).load();
        let i = v.cast::<i32>();
        let m = i.eq(i);
        y.at(t).store(m.select(v, 0.0));
    }
}
