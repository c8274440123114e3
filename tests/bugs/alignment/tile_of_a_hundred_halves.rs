//! A tile length of 100 f16 is no whole number of data blocks.
//! runs: x = f16[1000]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(n)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f16>) {
    for t in tiles(n).size(100) { //- error: J0305
    //+ for t in tiles(n).size(112) {
        y.at(t).store(x.at(t).load() * 2.0);
    }
}
