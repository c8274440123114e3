//! A kernel for bf16 on a chip that has none.
//! runs: x = f16[64]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
#[chips(ascend310p)]
#[instances(bf16)] //-
//+ #[instances(f16)]
pub fn double<T: Float>(#[shape(n)] x: &GlobalTensor<T>, #[shape(n)] y: &mut GlobalTensor<T>) { // error: J0501
    for t in tiles(n) {
        y.at(t).store((x.at(t).load().cast::<f32>() * 2.0).cast::<T>());
    }
}
