//! `clamp` with its lower bound alone.
//! runs: x = f32[70]
//! y: clamped(x, -1, 2)
use jumar::prelude::*;

#[kernel]
pub fn clamped(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load().clamp(-1.0)); //- error: J0106
        //+ y.at(t).store(x.at(t).load().clamp(-1.0, 2.0));
    }
}
