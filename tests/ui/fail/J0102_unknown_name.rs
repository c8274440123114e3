use jumar::prelude::*;

const FACTOR: f32 = 2.0;

#[kernel]
pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() * FACTOR);
    }
}

fn main() {}
