use jumar::prelude::*;

#[kernel]
pub fn differences(#[shape(n)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t + 1).load() - x.at(t).load());
    }
}

fn main() {}
