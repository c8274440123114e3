use jumar::prelude::*;

#[kernel]
pub fn scale<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for t in tiles(x) {
        let v = t.load(x).cast::<f32>();
        t.store(y, v * 2.0);
    }
}

fn main() {}
