use jumar::prelude::*;

#[kernel]
pub fn spread(#[shape(n)] x: &GlobalTensor<f32>, #[shape(m = 2 * n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t * 2).store(x.at(t).load());
    }
}

fn main() {}
