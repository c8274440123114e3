//! A launch leaves out an attribute that has no default.
//! runs: x = f32[70], scale = 2.0
//! fails: x = f32[70]
//! refused: J0605
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn scaled(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, scale: f32) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load() * scale);
    }
}
