//! Each turn stores three rows, two apart: the third is the first one of the next turn.
//! runs: x = f32[4, 70]
//! y: rows_twice(x)
use jumar::prelude::*;

#[kernel]
pub fn repeated(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(2 * n, d)] y: &mut GlobalTensor<f32>) {
    require(n >= 1);
    for (i, t) in tiles((each(n), d)) {
        for k in 0..3 { //-
        //+ for k in 0..2 {
            y.at(i * 2 + k, t).store(x.at(i, t).load()); // error: J0216 J0505
        }
    }
}
