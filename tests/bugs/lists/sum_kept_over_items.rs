//! The sum of one tensor goes on to the next one.
//! runs: xs.0 = f32[70], xs.1 = f32[3, 5]
//! ys.0: sum(xs.0)
//! ys.1: sum(xs.1)
use jumar::prelude::*;

#[kernel]
pub fn sums(#[shape(n..)] xs: &[GlobalTensor<f32>], #[shape(1)] ys: &mut [GlobalTensor<f32>]) {
    let mut s = across_cores::<f32>((), 0.0); //-
    for (x, y) in zip((xs, ys)) {
        //+ let mut s = across_cores::<f32>((), 0.0);
        for t in tiles(n) {
            s += x.at(t).load().sum(t); //- error: J0109
            //+ s += x.at(t).load().sum(t);
        }
        y.at(0).store(s);
    }
}
