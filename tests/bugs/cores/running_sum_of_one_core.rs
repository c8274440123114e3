//! A running sum in an ordinary variable: each core has one of its own, and nobody merges them.
//! runs: x = f32[1000]
//! y: sum(x)
use jumar::prelude::*;

#[kernel]
pub fn total(#[shape(n)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>) {
    let mut s = full((), 0.0); //-
    //+ let mut s = across_cores::<f32>((), 0.0);
    for t in tiles(n) {
        s = s + x.at(t).load().sum(t); //- error: J0214
        //+ s += x.at(t).load().sum(t);
    }
    y.at().store(s);
}
