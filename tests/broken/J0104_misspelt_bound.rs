use jumar::prelude::*;

#[kernel]
pub fn k<T: Flot>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load());
    }
}
