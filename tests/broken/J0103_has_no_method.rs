use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x).length(64) {
        y.at(t).store(x.at(t).load());
    }
}
