//! The rows themselves are stored to a tensor with one element a row: the reduction was forgotten.
//! runs: x = f32[9, 70]
//! y: row_max(x)
use jumar::prelude::*;

#[kernel]
pub fn row_max(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(r).store(x.at(r, ..).load()); //- error: J0207
        //+ y.at(r).store(x.at(r, ..).load().amax(d));
    }
}
