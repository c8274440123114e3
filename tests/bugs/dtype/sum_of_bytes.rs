//! Tensors of i8 are added as they are; the vector unit only moves and casts them.
//! runs: a = i8[70], b = i8[70]
//! y: plus(a, b)
use jumar::prelude::*;

#[kernel]
pub fn add(#[shape(n)] a: &GlobalTensor<i8>, #[shape(n)] b: &GlobalTensor<i8>, #[shape(n)] y: &mut GlobalTensor<i8>) {
    for t in tiles(n) {
        y.at(t).store(a.at(t).load() + b.at(t).load()); //- error: J0203
        //+ y.at(t).store((a.at(t).load().cast::<f16>() + b.at(t).load().cast::<f16>()).cast::<i8>());
    }
}
