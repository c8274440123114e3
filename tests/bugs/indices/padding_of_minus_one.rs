//! Indices are padded with -1, which names no row.
//! runs: ids = i64[5]{0, 6, 3, 1, 2}, table = f32[7, 70]
//! fails: ids = i64[5]{0, 6, 3, -1, -1}, table = f32[7, 70]
//! y: taken(ids, table)
use jumar::prelude::*;

#[kernel]
pub fn embedding(#[shape(n)] #[index(m)] ids: &GlobalTensor<i64>, #[shape(m, d)] table: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t, ..).store(table.at(ids.at(t).load(), ..).load()); // fault: J0801
    }
}
