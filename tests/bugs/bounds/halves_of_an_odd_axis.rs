//! Both halves of each row are multiplied, a gated unit; of an odd number of columns the second one is read past the end.
//! runs: x = f32[9, 70], y = f32[9, 35]
//! y: halves_product(x)
use jumar::prelude::*;

#[kernel]
pub fn gated(
    #[shape(n, d)] x: &GlobalTensor<f32>, //-
    #[shape(n, h = d.div_ceil(2))] y: &mut GlobalTensor<f32>, //-
    //+ #[shape(n, 2 * h)] x: &GlobalTensor<f32>,
    //+ #[shape(n, h)] y: &mut GlobalTensor<f32>,
) {
    for (r, t) in tiles((n, h)) {
        y.at(r, t).store(x.at(r, t + 0).load() * x.at(r, t + h).load()); // error: J0216
    }
}
