//! The last element of each row is picked at `d`.
//! runs: x = f32[9, 70]
//! y: rows_minus_last(x)
use jumar::prelude::*;

#[kernel]
pub fn from_the_last(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    require(d >= 1);
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        y.at(r, ..).store(v - v.pick(d, d)); //- error: J0106
        //+ y.at(r, ..).store(v - v.pick(d, d - 1));
    }
}
