use jumar::prelude::*;

#[kernel]
pub fn twice(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m = 2 * n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(m) {
        y.at(t).store(x.at(t / 2).load());
    }
}

fn main() {}
