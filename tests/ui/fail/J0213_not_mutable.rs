use jumar::prelude::*;

#[kernel]
pub fn scale(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let v = t.load(x);
        v = v * 2.0;
        t.store(y, v);
    }
}

fn main() {}
