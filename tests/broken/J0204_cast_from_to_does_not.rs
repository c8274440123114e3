use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<i64>, y: &mut GlobalTensor<f16>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load().cast::<f16>());
    }
}
