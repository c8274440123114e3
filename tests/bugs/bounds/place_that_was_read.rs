//! A factor is loaded from the place that a number says which was read, and nothing holds it to the table.
//! runs: x = f32[70], at = i32[1] {1}, s = f32[3] {1, 2, 3}
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn scaled(
    #[shape(n)] x: &GlobalTensor<f32>,
    #[shape(1)] at: &GlobalTensor<i32>,
    #[shape(m)] s: &GlobalTensor<f32>,
    #[shape(n)] y: &mut GlobalTensor<f32>,
) {
    require(m >= 1);
    let k = at.at(0).load().scalar() as usize;
    for t in tiles(n) {
        y.at(t).store(x.at(t).load() * s.at(k).load()); //- error: J0216
        //+ y.at(t).store(x.at(t).load() * s.at(k.max(0).min(m - 1)).load());
    }
}
