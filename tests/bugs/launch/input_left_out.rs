//! A launch leaves out an input that the kernel cannot do without.
//! runs: a = f32[70], b = f32[70]
//! fails: a = f32[70]
//! refused: J0605
//! y: plus(a, b)
use jumar::prelude::*;

#[kernel]
pub fn add(#[shape(n)] a: &GlobalTensor<f32>, #[shape(n)] b: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(a.at(t).load() + b.at(t).load());
    }
}
