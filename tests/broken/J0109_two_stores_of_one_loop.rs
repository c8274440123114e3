use jumar::prelude::*;

#[kernel]
fn k(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d, n)] w: &mut GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        w.at(.., r).store(v);
        y.at(r, ..).store(v);
    }
}
