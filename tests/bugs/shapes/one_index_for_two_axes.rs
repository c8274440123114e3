//! A tensor of two axes is indexed like a flat one.
//! runs: x = f32[9, 70]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r).load() * 2.0); //- error: J0106
        //+ y.at(r, ..).store(x.at(r, ..).load() * 2.0);
    }
}
