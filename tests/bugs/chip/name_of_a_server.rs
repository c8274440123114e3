//! `#[chips(..)]` names the product, not the chip.
//! runs: x = f32[64]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
#[chips(atlas800)] //- error: J0504
//+ #[chips(ascend910b2)]
pub fn double(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load() * 2.0);
    }
}
