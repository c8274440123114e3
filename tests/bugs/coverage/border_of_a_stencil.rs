//! A stencil stores the inner elements and forgets the two at the border.
//! runs: x = f32[70]
//! y: smoothed(x)
use jumar::prelude::*;

#[kernel]
pub fn smoothed(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(1..n - 1) { //-
        y.at(t).store((x.at(t - 1).load() + x.at(t).load() + x.at(t + 1).load()) * 0.5); //- error: J0219
    //+ for t in tiles(n) {
    //+     y.at(t).store((x.at(t - 1).load_or(0.0) + x.at(t).load() + x.at(t + 1).load_or(0.0)) * 0.5);
    }
}
