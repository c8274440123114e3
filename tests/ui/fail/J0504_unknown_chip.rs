use jumar::prelude::*;

#[kernel]
#[chips(ascend910z)]
pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        t.store(y, t.load(x) * 2.0);
    }
}

fn main() {}
