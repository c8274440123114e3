//! The bias that is given has as many elements as there are rows, not columns.
//! runs: x = f32[9, 70], bias = f32[70]
//! fails: x = f32[9, 70], bias = f32[9]
//! refused: J0603
//! y: plus_columns(x, bias)
use jumar::prelude::*;

#[kernel]
pub fn biased(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] bias: Option<&GlobalTensor<f32>>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, ..).load() + bias.or_full(0.0).at(..).load());
    }
}
