//! Rows are put in order piece by piece.
//! runs: x = f32[9, 70]
//! y: sorted(x)
use jumar::prelude::*;

#[kernel]
pub fn sorted(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for (r, t) in tiles((n, d)) { //-
        y.at(r, t).store(x.at(r, t).load().sort(t)); //- error: J0214
    //+ for r in tiles(n) {
        //+ y.at(r, ..).store(x.at(r, ..).load().sort(d));
    }
}
