use jumar::prelude::*;

#[kernel]
pub fn half_of(x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() * 0.5);
    }
}

fn main() {}
