//! A block for each element, as threads on a GPU.
//! runs: x = f32[70]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n).block_dim(100000) { //- error: J0503
    //+ for t in tiles(n).block_dim(40) {
        y.at(t).store(x.at(t).load() * 2.0);
    }
}
