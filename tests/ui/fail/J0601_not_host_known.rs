use jumar::prelude::*;

#[kernel]
pub fn scale_rows(#[shape(n.., d)] x: &GlobalTensor<f32>, y: &mut GlobalTensor<f32>) {
    for r in row_tiles(x) {
        for c in r.col_tiles().tile_length(64 * r.rows()) {
            c.store(y, c.load(x) * 2.0);
        }
    }
}

fn main() {}
