use jumar::prelude::*;

#[kernel]
pub fn scale_rows(#[shape(n.., factor)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, factor: f32) {
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, ..).load() * factor);
    }
}

fn main() {}
