use jumar::prelude::*;

#[kernel]
pub fn shift(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        y.at(r, ..).store(v - v.amax(r));
    }
}

fn main() {}
