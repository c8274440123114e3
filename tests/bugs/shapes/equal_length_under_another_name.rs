//! A weight along `k` meets columns along `d`; they are equally long, and nothing says so.
//! runs: x = f32[9, 70], w = f32[70]
//! y: times_columns(x, w)
use jumar::prelude::*;

#[kernel]
pub fn scaled(
    #[shape(n, d)] x: &GlobalTensor<f32>,
    #[shape(k)] w: &GlobalTensor<f32>, //-
    //+ #[shape(d)] w: &GlobalTensor<f32>,
    #[shape(n, d)] y: &mut GlobalTensor<f32>,
) {
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, ..).load() * w.at(..).load()); // error: J0206
    }
}
