//! Every column is to stand twice; the odd places are never stored.
//! runs: x = f32[9, 35]
//! y: columns_twice(x)
use jumar::prelude::*;

#[kernel]
pub fn upsampled(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, 2 * d)] y: &mut GlobalTensor<f32>) {
    for (r, t) in tiles((n, d)) {
        let v = x.at(r, t).load();
        y.at(r, t * 2).store(v); // error: J0219
        //+ y.at(r, t * 2 + 1).store(v);
    }
}
