use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, i: i64) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() * i);
    }
}
