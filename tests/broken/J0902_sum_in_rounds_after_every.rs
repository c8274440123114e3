use jumar::prelude::*;

#[kernel]
fn k(#[shape(n, d)] x: &GlobalTensor<f16>, y: &mut GlobalTensor<f16>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        let s = v.sum(d);
        y.at(r, ..).store(v / s);
    }
}
