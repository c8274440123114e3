use jumar::prelude::*;

#[kernel]
pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, factor: f64) {
    for t in tiles(x) {
        t.store(y, t.load(x) * factor);
    }
}

fn main() {}
