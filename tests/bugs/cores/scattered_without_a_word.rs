//! Rows are stored at indices that are data; two of them may be one.
//! runs: ids = i32[5]{4, 0, 2, 1, 3}, x = f32[5, 70], m = 5
//! y: scattered(ids, x, 5)
use jumar::prelude::*;

#[kernel]
pub fn scatter(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m, d)] y: &mut GlobalTensor<f32>, m: usize) {
    for t in tiles(n) {
        y.at(ids.at(t).load(), ..).store(x.at(t, ..).load()); //- error: J0505
        //+ y.at(ids.at(t).load(), ..).store_disjoint(x.at(t, ..).load());
    }
}
