use jumar::prelude::*;

#[kernel]
fn k(#[shape(n.., m..)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        y.at(t).store(x.at(t).load());
    }
}
