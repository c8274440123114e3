//! A softmax of large scores exponentiates them as they are: infinity over infinity.
//! runs: x = f32[9, 70] times 100
//! y: softmax(x)
use jumar::prelude::*;

#[kernel]
pub fn softmax(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        let e = v.exp(); //- fault: J0815
        //+ let e = (v - v.amax(d)).exp();
        y.at(r, ..).store(e / e.sum(d));
    }
}
