use jumar::prelude::*;

#[kernel]
pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f16>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load().exp());
    }
}
