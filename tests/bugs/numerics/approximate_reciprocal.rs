//! A sigmoid uses the hardware's reciprocal, which misses a float by 1e-4.
//! runs: x = f32[70]
//! y: sigmoid(x)
use jumar::prelude::*;

#[kernel]
pub fn sigmoid(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let v = x.at(t).load();
        y.at(t).store(((-v).exp() + 1.0).reciprocal()); //- warning: J0901
        //+ y.at(t).store(1.0 / ((-v).exp() + 1.0));
    }
}
