//! `T: Float` includes bf16, of which the vector unit adds nothing.
//! runs: a = bf16[70], b = bf16[70]
//! y: plus(a, b)
use jumar::prelude::*;

#[kernel]
pub fn add<T: Float>(#[shape(n)] a: &GlobalTensor<T>, #[shape(n)] b: &GlobalTensor<T>, #[shape(n)] y: &mut GlobalTensor<T>) {
    for t in tiles(n) {
        y.at(t).store(a.at(t).load() + b.at(t).load()); //- error: J0203
        //+ y.at(t).store((a.at(t).load().wide() + b.at(t).load().wide()).cast::<T>());
    }
}
