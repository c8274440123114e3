//! The place of each sample is computed from floats, and nothing keeps it inside of the row.
//! runs: at = f32[5] positive, x = f32[9, 70]
//! y: sampled(at, x)
use jumar::prelude::*;

#[kernel]
pub fn sampled(#[shape(k)] at: &GlobalTensor<f32>, #[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, k)] y: &mut GlobalTensor<f32>) {
    require(d >= 1);
    for r in tiles(n) {
        let place = at.at(..).load().cast_with::<i32>(RoundMode::Floor); //-
        //+ let place = at.at(..).load().cast_with::<i32>(RoundMode::Floor).max(0).min(d - 1);
        y.at(r, ..).store(x.at(r, ..).load().pick(d, place)); // error: J0217
    }
}
