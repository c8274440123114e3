//! Only one of two places that are read is held to the table.
//! runs: x = f32[70], at = i32[2] {1, 2}, s = f32[3] {1, 2, 3}, first = 0
//! y: times(x, 3)
use jumar::prelude::*;

#[kernel]
pub fn scaled(
    #[shape(n)] x: &GlobalTensor<f32>,
    #[shape(2)] at: &GlobalTensor<i32>,
    #[shape(m)] s: &GlobalTensor<f32>,
    #[shape(n)] y: &mut GlobalTensor<f32>,
    first: usize,
) {
    require(m >= 1);
    let k = if first > 0 {
        (at.at(0).load().scalar() as usize).max(0).min(m - 1)
    } else {
        at.at(1).load().scalar() as usize //-
        //+ (at.at(1).load().scalar() as usize).max(0).min(m - 1)
    };
    for t in tiles(n) {
        y.at(t).store(x.at(t).load() * s.at(k).load()); // error: J0216
    }
}
