use jumar::prelude::*;

#[kernel]
pub fn twice(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m = 2 * n, d)] y: &mut GlobalTensor<f32>) {
    let two = new_axis(2);
    for t in tiles(n) {
        for i in each(two) {
            y.at(t + i, ..).store(x.at(t, ..).load());
        }
    }
}

fn main() {}
