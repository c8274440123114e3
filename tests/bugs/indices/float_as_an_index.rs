//! A place comes as f32 and is used as an index of a load.
//! runs: ids = i32[5] below 7, table = f32[7, 70]
//! y: taken(ids, table)
use jumar::prelude::*;

#[kernel]
pub fn embedding(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[shape(m, d)] table: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let places = ids.at(t).load().cast::<f32>(); //-
        //+ let places = ids.at(t).load();
        y.at(t, ..).store(table.at(places, ..).load()); // error: J0217
    }
}
