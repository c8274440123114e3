use jumar::prelude::*;

#[kernel]
pub fn two_steps(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        t.store(y, t.load(x) + 1.0);
    }
    for t in tiles(x) {
        t.store(z, t.load(x) * 2.0);
    }
}

fn main() {}
