use jumar::prelude::*;

#[kernel]
pub fn double(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, z: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        t.store(y, t.load(x) * 2.0);
    }
}

fn main() {}
