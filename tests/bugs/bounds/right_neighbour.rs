//! The right neighbour of the last element is loaded.
//! runs: x = f32[71]
//! y: differences(x)
use jumar::prelude::*;

#[kernel]
pub fn differences(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n - 1)] y: &mut GlobalTensor<f32>) {
    require(n >= 1);
    for t in tiles(n) { //-
    //+ for t in tiles(0..n - 1) {
        y.at(t).store(x.at(t + 1).load() - x.at(t).load()); // error: J0209
    }
}
