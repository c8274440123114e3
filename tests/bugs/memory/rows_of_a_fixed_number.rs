//! 64 whole rows a tile, though a row may have 4096 elements: 1 MiB a value.
//! runs: x = f32[70, 100]
//! y: rows_minus_max(x)
use jumar::prelude::*;

#[kernel]
pub fn shifted(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    require(d == 4096); //-
    //+ require(d <= 100);
    for r in tiles(n).size(64) { // error: J0304
        let v = x.at(r, ..).load();
        y.at(r, ..).store(v - v.amax(d));
    }
}
