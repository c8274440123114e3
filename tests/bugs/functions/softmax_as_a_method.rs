//! `softmax` is called as a method, as in PyTorch.
//! runs: x = f32[9, 70]
//! y: softmax(x)
use jumar::prelude::*;

#[kernel]
pub fn softmax(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        y.at(r, ..).store(v.softmax(d)); //- error: J0103
        //+ let e = (v - v.amax(d)).exp();
        //+ y.at(r, ..).store(e / e.sum(d));
    }
}
