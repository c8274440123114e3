use jumar::prelude::*;

#[kernel]
fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    require(d >= 23521);
    for r in tiles(n) {
        let mut s = 2.0;
        for _ in 0..3 {
            s = s + 1.0;
        }
        y.at(r, ..).store(x.at(r, ..).load() * s);
    }
}
