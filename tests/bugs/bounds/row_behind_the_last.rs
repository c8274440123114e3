//! A launch asks for a row that there is not.
//! runs: x = f32[70], w = f32[1, 70], k = 0
//! fails: x = f32[70], w = f32[1, 70], k = 1
//! refused: J0606
//! y: plus(x, w)
use jumar::prelude::*;

#[kernel]
pub fn add_row(
    #[shape(d)] x: &GlobalTensor<f32>,
    #[shape(n, d)] w: &GlobalTensor<f32>,
    k: usize,
    #[shape(d)] y: &mut GlobalTensor<f32>,
) {
    for t in tiles(d) {
        y.at(t).store(x.at(t).load() + w.at(k, t).load());
    }
}
