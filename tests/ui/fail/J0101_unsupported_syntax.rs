use jumar::prelude::*;

#[kernel]
pub fn power(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let mut v = x.at(t).load();
        let mut i = 0;
        while i < 3 {
            v = v * v;
            i += 1;
        }
        y.at(t).store(v);
    }
}

fn main() {}
