use jumar::prelude::*;

#[kernel]
pub fn double(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() * 2.0);
    }
}

fn main() {}
