use jumar::prelude::*;

#[kernel]
pub fn add(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(x) {
        t.store(y, t.load(x) + t.load(w));
    }
}

fn main() {}
