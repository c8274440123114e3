use jumar::prelude::*;

const FACTOR: f32 = 2.0;

#[kernel]
pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        t.store(y, t.load(x) * FACTOR);
    }
}

fn main() {}
