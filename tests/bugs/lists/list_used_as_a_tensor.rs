//! A list is read as if it were one tensor.
//! runs: xs.0 = f32[70], xs.1 = f32[8]
//! ys.0: times(xs.0, 2)
//! ys.1: times(xs.1, 2)
use jumar::prelude::*;

#[kernel]
pub fn doubled(#[shape(n)] xs: &[GlobalTensor<f32>], #[shape(n)] ys: &mut [GlobalTensor<f32>]) {
    for (x, y) in zip((xs, ys)) {
        for t in tiles(n) {
            y.at(t).store(xs.at(t).load() * 2.0); //- error: J0103
            //+ y.at(t).store(x.at(t).load() * 2.0);
        }
    }
}
