use jumar::prelude::*;

#[kernel]
pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, factor: f64) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() * factor);
    }
}

fn main() {}
