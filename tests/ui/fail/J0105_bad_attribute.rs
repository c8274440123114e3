use jumar::prelude::*;

#[kernel]
pub fn scale_rows(#[shape(n.., factor)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>, factor: f32) {
    for r in row_tiles(x) {
        r.store(y, r.load(x) * factor);
    }
}

fn main() {}
