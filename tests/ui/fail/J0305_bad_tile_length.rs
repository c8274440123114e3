use jumar::prelude::*;

#[kernel]
pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x).buffer_num(9) {
        t.store(y, t.load(x) * 2.0);
    }
}

fn main() {}
