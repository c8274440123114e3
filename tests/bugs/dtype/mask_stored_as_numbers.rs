//! The result of a comparison is stored to a tensor of f32: it is bits.
//! runs: x = f32[70]
//! y: is_positive(x)
use jumar::prelude::*;

#[kernel]
pub fn positive(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load().gt(0.0)); //- error: J0202
        //+ y.at(t).store(x.at(t).load().gt(0.0).select(1.0, 0.0));
    }
}
