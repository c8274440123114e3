use jumar::prelude::*;

#[kernel]
pub fn mixed_add(x: &GlobalTensor<f16>, w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        t.store(y, t.load(x) + t.load(w));
    }
}

fn main() {}
