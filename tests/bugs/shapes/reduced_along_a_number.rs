//! `sum(1)`, as in NumPy: axes have names here.
//! runs: x = f32[9, 70]
//! y: row_sums(x)
use jumar::prelude::*;

#[kernel]
pub fn row_sums(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(r).store(x.at(r, ..).load().sum(1)); //- error: J0106
        //+ y.at(r).store(x.at(r, ..).load().sum(d));
    }
}
