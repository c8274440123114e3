use jumar::prelude::*;

#[kernel]
pub fn positive(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(cap)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        y.append(v, v.gt(0.0));
    }
}

fn main() {}
