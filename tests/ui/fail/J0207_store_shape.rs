use jumar::prelude::*;

#[kernel]
pub fn row_max(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for r in row_tiles(x) {
        r.store(y, r.load(x).row_max());
    }
}

fn main() {}
