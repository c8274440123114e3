//! A length that is no multiple of a data block, on a chip that copies data blocks only.
//! runs: x = f32[64]
//! fails: x = f32[67]
//! refused: J0606
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
#[chips(ascend310p)]
pub fn double(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load() * 2.0);
    }
}
