//! The output is stored inside `if let Some`; without the tensor nothing is.
//! runs: x = f32[9, 70]
//! y: times(x, 1)
use jumar::prelude::*;

#[kernel]
pub fn scaled(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] w: Option<&GlobalTensor<f32>>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        if let Some(w) = w { // error: J0210
            y.at(r, ..).store(x.at(r, ..).load() * w.at(..).load());
        }
        //+ else {
        //+     y.at(r, ..).store(x.at(r, ..).load());
        //+ }
    }
}
