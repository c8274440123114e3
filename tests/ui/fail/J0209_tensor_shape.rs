use jumar::prelude::*;

#[kernel]
pub fn add(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m)] w: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load() + w.at(t).load());
    }
}

fn main() {}
