use jumar::prelude::*;

#[kernel]
pub fn accumulate(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        t.store(y, t.load(y) + t.load(x));
    }
}

fn main() {}
