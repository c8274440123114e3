use jumar::prelude::*;

#[kernel]
#[instances(f16, bf16)]
fn k<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() + 1.0);
    }
}
