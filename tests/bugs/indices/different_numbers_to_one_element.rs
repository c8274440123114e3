//! `store_any` is for turns that store the same; here they store their own numbers.
//! runs: ids = i32[70] below 5, y = f32[5]
//! fails: ids = i32[70] below 5, y = f32[5]
//! y: marked(ids, y)
use jumar::prelude::*;

#[kernel]
pub fn marked(#[shape(n)] #[index(m)] ids: &GlobalTensor<i32>, #[inplace] #[shape(m)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(ids.at(t).load()).store_any(t.iota().cast::<f32>()); //- fault: J0809
        //+ y.at(ids.at(t).load()).store_any(full(t, 1.0));
    }
}
