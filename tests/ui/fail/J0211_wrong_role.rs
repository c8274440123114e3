use jumar::prelude::*;

#[kernel]
pub fn accumulate(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(y.at(t).load() + x.at(t).load());
    }
}

fn main() {}
