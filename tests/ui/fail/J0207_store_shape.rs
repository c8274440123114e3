use jumar::prelude::*;

#[kernel]
pub fn row_max(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, ..).load().amax(d));
    }
}

fn main() {}
