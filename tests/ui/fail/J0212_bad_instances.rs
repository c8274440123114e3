use jumar::prelude::*;

#[kernel]
#[instances(f32, i32)]
pub fn copy<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load());
    }
}

fn main() {}
