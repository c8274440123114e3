//! The second part of a concatenation begins one element too late.
//! runs: a = f32[33], b = f32[40]
//! y: concat(a, b)
use jumar::prelude::*;

#[kernel]
pub fn joined(#[shape(n)] a: &GlobalTensor<f32>, #[shape(m)] b: &GlobalTensor<f32>, #[shape(n + m)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t + 0).store(a.at(t).load()); // error: J0219
    }
    for t in tiles(1..m) { //-
    //+ for t in tiles(m) {
        y.at(t + n).store(b.at(t).load());
    }
}
