use jumar::prelude::*;

#[kernel]
pub fn mixed_add(x: &GlobalTensor<f16>, w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() + w.at(t).load());
    }
}

fn main() {}
