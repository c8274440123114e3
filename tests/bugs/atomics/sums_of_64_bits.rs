//! A histogram of i64: the chip adds no 64 bits in GM.
//! runs: ids = i32[70] below 5, m = 5
//! counts: histogram(ids, 5)
use jumar::prelude::*;

#[kernel]
pub fn histogram(
    #[shape(n)] #[index(m)] ids: &GlobalTensor<i32>,
    #[shape(m)] counts: &mut GlobalTensor<i64>, //-
    //+ #[shape(m)] counts: &mut GlobalTensor<i32>,
    m: usize,
) {
    for t in tiles(n) {
        counts.at(ids.at(t).load()).atomic_add(full::<i32>(t, 1).cast::<i64>()); //- error: J0203
        //+ counts.at(ids.at(t).load()).atomic_add(full::<i32>(t, 1));
    }
}
