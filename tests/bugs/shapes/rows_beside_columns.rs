//! A value a row and a value a column are added: neither has the axes of the other, an outer sum by mistake.
//! runs: a = f32[9], b = f32[70]
//! y: outer_plus(a, b)
use jumar::prelude::*;

#[kernel]
pub fn outer(#[shape(n)] a: &GlobalTensor<f32>, #[shape(d)] b: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(r, ..).store(a.at(r).load() + b.at(..).load()); //- error: J0206
        //+ y.at(r, ..).store(a.at(r).load().expand(d) + b.at(..).load());
    }
}
