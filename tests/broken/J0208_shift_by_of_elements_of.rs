use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<i16>, y: &mut GlobalTensor<i16>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load() >> 17);
    }
}
