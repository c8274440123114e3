//! A function of the library is asked of i32.
//! runs: x = i32[70]
//! y: sigmoid(x)
use jumar::prelude::*;

#[kernel]
pub fn activated(#[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load().sigmoid()); //- error: J0203
        //+ y.at(t).store(x.at(t).load().cast::<f32>().sigmoid());
    }
}
