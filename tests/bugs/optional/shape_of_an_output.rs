//! The columns of the output are those of a tensor that may be left out.
//! runs: x = f32[9, 70]
//! y: times(x, 1)
use jumar::prelude::*;

#[kernel]
pub fn gated(
    #[shape(n)] x: &GlobalTensor<f32>, //-
    //+ #[shape(n, d)] x: &GlobalTensor<f32>,
    #[shape(n, d)] w: Option<&GlobalTensor<f32>>,
    #[shape(n, d)] y: &mut GlobalTensor<f32>, // error: J0109
) {
    for r in tiles(n) {
        y.at(r, ..).store(w.or_full(1.0).at(r, ..).load() * x.at(r).load()); //-
        //+ y.at(r, ..).store(w.or_full(1.0).at(r, ..).load() * x.at(r, ..).load());
    }
}
