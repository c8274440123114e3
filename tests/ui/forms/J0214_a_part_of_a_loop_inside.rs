use jumar::prelude::*;

#[kernel]
pub fn shifted(#[shape(n, d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        for c in tiles(d) {
            let v = x.at(r, c).load();
            y.at(r, c).store(v - v.amax(c));
        }
    }
}

fn main() {}
