//! The computation is in f32 and its result is stored to f16 as it is.
//! runs: x = f16[70]
//! y: exp(x)
use jumar::prelude::*;

#[kernel]
pub fn exponential(#[shape(n)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f16>) {
    for t in tiles(n) {
        let e = x.at(t).load().cast::<f32>().exp();
        y.at(t).store(e); //- error: J0202
        //+ y.at(t).store(e.cast::<f16>());
    }
}
