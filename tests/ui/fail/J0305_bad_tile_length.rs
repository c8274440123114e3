use jumar::prelude::*;

#[kernel]
pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x).buffer_num(9) {
        y.at(t).store(x.at(t).load() * 2.0);
    }
}

fn main() {}
