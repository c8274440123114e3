//! A launch gives two inputs of different lengths.
//! runs: a = f32[70], b = f32[70]
//! fails: a = f32[70], b = f32[71]
//! refused: J0603
//! y: plus(a, b)
use jumar::prelude::*;

#[kernel]
pub fn add(#[shape(n)] a: &GlobalTensor<f32>, #[shape(n)] b: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(a.at(t).load() + b.at(t).load());
    }
}
