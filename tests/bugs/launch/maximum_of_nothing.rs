//! A launch gives rows without elements to a kernel that looks for their maximum.
//! runs: x = f32[9, 70]
//! fails: x = f32[9, 0]
//! refused: J0606
//! y: row_max(x)
use jumar::prelude::*;

#[kernel]
pub fn row_max(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(r).store(x.at(r, ..).load().amax(d));
    }
}
