use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let v = x.at(t).load().rsqrt();
        y.at(t).store(v);
    }
}
