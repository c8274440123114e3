use jumar::prelude::*;

#[kernel]
pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let value = x.at(t).load();
        y.at(t).store(valeu.exp());
    }
}
