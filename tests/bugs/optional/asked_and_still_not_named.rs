//! `is_some()` is asked, and the tensor is then used under its own name.
//! runs: x = f32[9, 70], bias = f32[70]
//! y: plus_columns(x, bias)
use jumar::prelude::*;

#[kernel]
pub fn biased(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] bias: Option<&GlobalTensor<f32>>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let mut v = x.at(r, ..).load();
        if bias.is_some() { //-
        //+ if let Some(bias) = bias {
            v = v + bias.at(..).load(); // error: J0103
        }
        y.at(r, ..).store(v);
    }
}
