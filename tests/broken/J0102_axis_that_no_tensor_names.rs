use jumar::prelude::*;

#[kernel]
pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load().exp());
    }
}
