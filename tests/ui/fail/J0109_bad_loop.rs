use jumar::prelude::*;

#[kernel]
pub fn two_steps(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() + 1.0);
    }
    for t in tiles(x) {
        z.at(t).store(x.at(t).load() * 2.0);
    }
}

fn main() {}
