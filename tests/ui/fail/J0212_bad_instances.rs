use jumar::prelude::*;

#[kernel]
#[instances(f32, i32)]
pub fn copy<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for t in tiles(x) {
        t.store(y, t.load(x));
    }
}

fn main() {}
