//! Each tile adds 1 to a counter: the number of tiles, which is the compiler's choice.
//! runs: x = f32[1000]
//! count: positives(x)
use jumar::prelude::*;

#[kernel]
pub fn positives(#[shape(n)] x: &GlobalTensor<f32>, #[shape()] count: &mut GlobalTensor<i32>) {
    for t in tiles(n) {
        count.at().atomic_add(full::<i32>((), 1)); //- error: J0214
        //+ count.at().atomic_add(x.at(t).load().gt(0.0).select(1, 0).sum(t));
    }
}
