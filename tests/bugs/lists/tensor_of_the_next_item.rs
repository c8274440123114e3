//! The number of the item after the last one is read from a tensor with a number for each item.
//! runs: xs.0 = f32[70], xs.1 = f32[3, 5], ks = f32[2] {2, 3}
//! refused: J0606
//! ys.0: times(xs.0, 2)
//! ys.1: times(xs.1, 3)
use jumar::prelude::*;

#[kernel]
pub fn scaled(#[list(l)] xs: &[GlobalTensor<f32>], #[shape(l)] ks: &GlobalTensor<f32>, ys: &mut [GlobalTensor<f32>]) {
    for (i, (x, y)) in zip((xs, ys)).enumerate() {
        let k = ks.at(i + 1).load(); //-
        //+ let k = ks.at(i).load();
        for t in tiles(x) {
            y.at(t).store(x.at(t).load() * k);
        }
    }
}
