//! The author promises that indices name each row once; two of them are one.
//! runs: ids = i32[5]{4, 0, 2, 1, 3}, x = f32[5, 70], m = 5
//! fails: ids = i32[5]{4, 0, 2, 0, 3}, x = f32[5, 70], m = 5
//! y: scattered(ids, x, 5)
use jumar::prelude::*;

#[kernel]
pub fn scatter(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m, d)] y: &mut GlobalTensor<f32>, m: usize) {
    for t in tiles(n) {
        y.at(ids.at(t).load(), ..).store_disjoint(x.at(t, ..).load()); // fault: J0809
    }
}
