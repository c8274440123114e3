//! A pooling output has `(h - 2) / 2 + 2` rows: its last window begins behind the input.
//! runs: x = f32[9, 70]
//! y: row_pairs_max(x)
use jumar::prelude::*;

#[kernel]
pub fn pooled(
    #[shape(h, d)] x: &GlobalTensor<f32>,
    #[shape(oh = (h - 2) / 2 + 2, d)] y: &mut GlobalTensor<f32>, //-
    //+ #[shape(oh = (h - 2) / 2 + 1, d)] y: &mut GlobalTensor<f32>,
) {
    require(h >= 2);
    for (r, t) in tiles((oh, d)) {
        y.at(r, t).store(x.at(r * 2, t).load().max(x.at(r * 2 + 1, t).load())); // error: J0216
    }
}
