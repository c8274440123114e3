use jumar::prelude::*;

#[kernel]
pub fn k(x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        let v = x.at(t).load();
        let m = v.gt(0.0) && v.lt(1.0);
        y.at(t).store(m.select(v, 0.0));
    }
}
