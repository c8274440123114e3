use jumar::prelude::*;

#[kernel]
pub fn power(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let mut v = t.load(x);
        let mut i = 0;
        while i < 3 {
            v = v * v;
            i += 1;
        }
        t.store(y, v);
    }
}

fn main() {}
