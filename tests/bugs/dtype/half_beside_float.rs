//! An f16 tensor is multiplied by a weight of f32.
//! runs: x = f16[9, 70], w = f32[70]
//! y: times_columns(x, w)
use jumar::prelude::*;

#[kernel]
pub fn scaled(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(d)] w: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load(); //-
        //+ let v = x.at(r, ..).load().cast::<f32>();
        y.at(r, ..).store(v * w.at(..).load()); // error: J0201
    }
}
