//! `bias.unwrap()`, as in ordinary Rust: there is nothing to do where it is None.
//! runs: x = f32[9, 70], bias = f32[70]
//! y: plus_columns(x, bias)
use jumar::prelude::*;

#[kernel]
pub fn biased(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] bias: Option<&GlobalTensor<f32>>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        let b = bias.unwrap(); //- error: J0103
        y.at(r, ..).store(v + b.at(..).load()); //-
        //+ let u = if let Some(b) = bias { v + b.at(..).load() } else { v };
        //+ y.at(r, ..).store(u);
    }
}
