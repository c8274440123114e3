//! An index of the input is the number of rows: one beyond the table.
//! runs: ids = i32[5] below 7, table = f32[7, 70]
//! fails: ids = i32[5]{0, 6, 7, 1, 2}, table = f32[7, 70]
//! y: taken(ids, table)
use jumar::prelude::*;

#[kernel]
pub fn embedding(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(m, d)] table: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t, ..).store(table.at(ids.at(t).load(), ..).load()); // fault: J0801
    }
}
