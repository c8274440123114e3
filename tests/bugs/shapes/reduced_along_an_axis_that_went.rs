//! The variance is reduced along an axis that the mean's reduction has removed.
//! runs: x = f32[9, 70]
//! y: row_sums(x)
use jumar::prelude::*;

#[kernel]
pub fn twice(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let s = x.at(r, ..).load().sum(d);
        y.at(r).store(s.sum(d)); //- error: J0206
        //+ y.at(r).store(s);
    }
}
