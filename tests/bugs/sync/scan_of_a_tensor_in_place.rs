//! A prefix sum along rows in place: each row adds the one before it, which another turn stores.
//! runs: x = f32[9, 70]
//! x: column_scan(x)
use jumar::prelude::*;

#[kernel]
pub fn scan(#[inplace] #[shape(n, d)] x: &mut GlobalTensor<f32>) {
    for r in tiles(1..n) { //-
        x.at(r, ..).store(x.at(r, ..).load() + x.at(r - 1, ..).load()); //- error: J0411
    } //-
    //+ for t in tiles(d) {
    //+     let mut s = full(t, 0.0);
    //+     for i in 0..n {
    //+         s = s + x.at(i, t).load();
    //+         x.at(i, t).store(s);
    //+     }
    //+ }
}
