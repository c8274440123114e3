use jumar::prelude::*;

#[kernel]
pub fn k(x: &GlobalTensor<f16>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let v = x.at(t).load();
        y.at(t).store(v as f32);
    }
}
