//! `exp` of an attribute on the core: the scalar unit has no such function.
//! runs: x = f32[70], scale = 1.0
//! y: times(x, 2.718281828459045)
use jumar::prelude::*;

#[kernel]
pub fn scaled(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, scale: f32) {
    //+ let factor = full((), scale).exp();
    for t in tiles(n) {
        y.at(t).store(x.at(t).load() * scale.exp()); //- error: J0103
        //+ y.at(t).store(x.at(t).load() * factor);
    }
}
