use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<i32>, y: &mut GlobalTensor<i32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load().exp());
    }
}
