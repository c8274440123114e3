//! `v.ne(v)` asks for nan, as in IEEE; the chip's comparison of a nan is 0 whatever is asked.
//! runs: x = f32[4]{1, nan, -2, inf}
//! y: nan_to_zero(x)
use jumar::prelude::*;

#[kernel]
pub fn cleaned(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let v = x.at(t).load();
        y.at(t).store(v.ne(v).select(0.0, v)); //- warning: J0903
        //+ y.at(t).store(v.eq(v).select(v, 0.0));
    }
}
