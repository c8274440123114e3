use jumar::prelude::*;

#[kernel]
pub fn shifted(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, e = d + 1)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        for c in tiles(d) {
            let v = x.at(r, c).load();
            y.at(r, c + 0).store(v);
            y.at(r, c + 1).store(v * 2.0);
        }
    }
}

fn main() {}
