use jumar::prelude::*;

#[kernel]
#[chips(ascend910z)]
pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() * 2.0);
    }
}

fn main() {}
