use jumar::prelude::*;

#[kernel]
fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let v = x.at(t).load();
        let m = v.ne(v);
        y.at(t).store(m.select(0.0, 1.0));
    }
}
