//! Each element is replaced by the difference to its right neighbour, which another turn replaces, too.
//! runs: x = f32[71], y = f32[70]
//! y: differences(x)
use jumar::prelude::*;

#[kernel]
pub fn differences(#[inplace] #[shape(n)] x: &mut GlobalTensor<f32>, #[shape(n - 1)] y: &mut GlobalTensor<f32>) { //-
//+ pub fn differences(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n - 1)] y: &mut GlobalTensor<f32>) {
    require(n >= 1);
    for t in tiles(0..n - 1) {
        let v = x.at(t + 1).load() - x.at(t).load(); // error: J0411
        x.at(t).store(v); //-
        y.at(t).store(v);
    }
}
