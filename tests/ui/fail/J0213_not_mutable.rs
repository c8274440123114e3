use jumar::prelude::*;

#[kernel]
pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let v = x.at(t).load();
        v = v * 2.0;
        y.at(t).store(v);
    }
}

fn main() {}
