use jumar::prelude::*;

#[kernel]
pub fn half_of(x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>) {
    for t in tiles(x) {
        t.store(y, t.load(x) * 0.5);
    }
}

fn main() {}
