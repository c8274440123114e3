use jumar::prelude::*;

#[kernel]
pub fn scaled(#[shape(b, n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for i in each(b) {
        for r in tiles(n) {
            for c in tiles(d) {
                y.at(i, r, c).store(x.at(i, r, c).load() * 2.0);
            }
        }
    }
}

fn main() {}
