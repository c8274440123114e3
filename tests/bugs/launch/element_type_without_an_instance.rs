//! A launch gives f32 to a kernel that was made for f16 and bf16.
//! runs: x = f16[70]
//! fails: x = f32[70]
//! refused: J0605
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
#[instances(f16, bf16)]
pub fn double<T: Float>(#[shape(n)] x: &GlobalTensor<T>, #[shape(n)] y: &mut GlobalTensor<T>) {
    for t in tiles(n) {
        y.at(t).store((x.at(t).load().cast::<f32>() * 2.0).cast::<T>());
    }
}
