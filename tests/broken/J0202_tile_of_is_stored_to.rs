use jumar::prelude::*;

#[kernel]
fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load());
    }
}
