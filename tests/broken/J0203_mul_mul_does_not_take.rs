use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<i64>, y: &mut GlobalTensor<i64>) {
    for t in tiles(x) {
        let v = x.at(t).load();
        y.at(t).store(v * v);
    }
}
