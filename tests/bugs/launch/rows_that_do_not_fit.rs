//! Rows that must lie in UB whole, since each number of them is shown, are longer than UB.
//! runs: x = f32[3, 70]
//! fails: x = f32[3, 60000]
//! refused: J0606
//! y: rows_minus_max(x)
use jumar::prelude::*;

#[kernel]
pub fn shifted(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n).size(4) {
        let v = x.at(r, ..).load();
        y.at(r, ..).store(v - v.amax(d));
    }
}
