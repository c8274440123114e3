//! A causal convolution reads what stands before the first element.
//! runs: x = f32[70]
//! y: causal(x)
use jumar::prelude::*;

#[kernel]
pub fn causal(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load() + x.at(t - 1).load() * 0.5); //- error: J0216
        //+ y.at(t).store(x.at(t).load() + x.at(t - 1).load_or(0.0) * 0.5);
    }
}
