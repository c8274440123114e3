//! A bias that a launch may leave out is loaded without asking.
//! runs: x = f32[9, 70]
//! y: times(x, 1)
use jumar::prelude::*;

#[kernel]
pub fn biased(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] bias: Option<&GlobalTensor<f32>>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, ..).load() + bias.at(..).load()); //- error: J0103
        //+ y.at(r, ..).store(x.at(r, ..).load() + bias.or_full(0.0).at(..).load());
    }
}
