//! A smooth step is asked of a comparison.
//! runs: x = f32[70]
//! y: sigmoid(x)
use jumar::prelude::*;

#[kernel]
pub fn smooth(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load().gt(0.0).sigmoid()); //- error: J0201
        //+ y.at(t).store(x.at(t).load().sigmoid());
    }
}
