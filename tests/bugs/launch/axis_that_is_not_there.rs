//! A launch says axis 3 of a tensor that has three of them.
//! runs: x = f32[3, 5, 7], dim = -1
//! fails: x = f32[3, 5, 7], dim = 3
//! refused: J0603
//! y: last_axis_sums(x)
use jumar::prelude::*;

#[kernel]
pub fn sums(#[shape(a.., m @ dim, b..)] x: &GlobalTensor<f32>, dim: i32, #[shape(a.., b..)] y: &mut GlobalTensor<f32>) {
    for (i, t) in tiles((each(a), b)) {
        y.at(i, t).store(x.at(i, .., t).load().sum(m));
    }
}
