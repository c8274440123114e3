//! Running sums are computed piece by piece, each of which begins with nothing.
//! runs: x = f32[9, 70]
//! y: row_scan(x)
use jumar::prelude::*;

#[kernel]
pub fn running(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for (r, t) in tiles((n, d)) { //-
        y.at(r, t).store(x.at(r, t).load().cumsum(t)); //- error: J0214
    //+ for r in tiles(n) {
        //+ y.at(r, ..).store(x.at(r, ..).load().cumsum(d));
    }
}
