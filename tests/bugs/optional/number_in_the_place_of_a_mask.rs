//! An attention mask of bool that may be left out is to be read as `1.0` everywhere.
//! runs: x = f32[9, 70]
//! y: times(x, 1)
use jumar::prelude::*;

#[kernel]
pub fn masked(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] keep: Option<&GlobalTensor<bool>>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        y.at(r, ..).store(keep.or_full(1.0).at(r, ..).load().select(v, 0.0)); //- error: J0109
        //+ let u = if let Some(keep) = keep { keep.at(r, ..).load().select(v, 0.0) } else { v };
        //+ y.at(r, ..).store(u);
    }
}
