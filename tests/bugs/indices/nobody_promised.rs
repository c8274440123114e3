//! Numbers that were loaded are used as indices, and nothing says that they stay inside.
//! runs: ids = i32[5] below 7, table = f32[7, 70]
//! y: taken(ids, table)
use jumar::prelude::*;

#[kernel]
pub fn embedding(
    #[shape(n)] ids: &GlobalTensor<i32>, //-
    //+ #[shape(n)] #[index(m)] ids: &GlobalTensor<i32>,
    #[shape(m, d)] table: &GlobalTensor<f32>,
    #[shape(n, d)] y: &mut GlobalTensor<f32>,
) {
    for t in tiles(n) {
        y.at(t, ..).store(table.at(ids.at(t).load(), ..).load()); // error: J0217
    }
}
