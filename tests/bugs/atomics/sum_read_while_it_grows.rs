//! The sums are read in the loop that adds to them, to normalise the rows.
//! runs: x = f32[9, 70] positive, s = f32[70] times 0
//! s: column_sums(x)
//! y: over_column_sums(x)
use jumar::prelude::*;

#[kernel]
pub fn normed(#[shape(n, d)] x: &GlobalTensor<f32>, #[inplace] #[shape(d)] s: &mut GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        s.at(..).atomic_add(v.sum(r));
        y.at(r, ..).store(v / s.at(..).load()); //- error: J0411
    }
    //+ for r in tiles(n) {
    //+     y.at(r, ..).store(x.at(r, ..).load() / s.at(..).load());
    //+ }
}
