//! One list has an item more than the other.
//! runs: xs.0 = f32[70], xs.1 = f32[8], zs.0 = f32[70], zs.1 = f32[8]
//! fails: xs.0 = f32[70], xs.1 = f32[8], zs.0 = f32[70]
//! refused: J0605
//! ys.0: plus(xs.0, zs.0)
//! ys.1: plus(xs.1, zs.1)
use jumar::prelude::*;

#[kernel]
pub fn added(#[shape(n)] xs: &[GlobalTensor<f32>], #[shape(n)] zs: &[GlobalTensor<f32>], #[shape(n)] ys: &mut [GlobalTensor<f32>]) {
    for (x, z, y) in zip((xs, zs, ys)) {
        for t in tiles(n) {
            y.at(t).store(x.at(t).load() + z.at(t).load());
        }
    }
}
