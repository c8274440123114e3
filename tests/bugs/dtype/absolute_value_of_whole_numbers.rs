//! Abs of i32: it takes f16 and f32.
//! runs: x = i32[70]
//! y: abs(x)
use jumar::prelude::*;

#[kernel]
pub fn magnitude(#[shape(n)] x: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {
    for t in tiles(n) {
        let v = x.at(t).load();
        y.at(t).store(v.abs()); //- error: J0203
        //+ y.at(t).store(v.max(-v));
    }
}
