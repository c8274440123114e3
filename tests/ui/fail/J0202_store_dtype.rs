use jumar::prelude::*;

#[kernel]
pub fn scale<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for t in tiles(x) {
        let v = x.at(t).load().cast::<f32>();
        y.at(t).store(v * 2.0);
    }
}

fn main() {}
