//! Each turn clears the sums before it adds to them, while other turns have added already.
//! runs: x = f32[9, 70]
//! y: column_sums(x)
use jumar::prelude::*;

#[kernel]
pub fn column_sums(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(..).store(full(d, 0.0)); //- error: J0207
        y.at(..).atomic_add(x.at(r, ..).load().sum(r));
    }
}
