use jumar::prelude::*;

#[kernel]
#[chips(ascend310p)]
pub fn scale<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for t in tiles(x) {
        let v = t.load(x).cast::<f32>();
        t.store(y, (v * 2.0).cast::<T>());
    }
}

fn main() {}
