use jumar::prelude::*;

#[kernel]
fn k(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    require(d < 4);
    require(d > 3);
    for t in tiles(x) {
        y.at(t).store(x.at(t).load());
    }
}
