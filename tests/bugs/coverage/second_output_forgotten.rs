//! A norm that gives the inverse deviation, too, and never stores it.
//! runs: x = f32[9, 70]
//! y: rows_minus_max(x)
//! top: row_max(x)
use jumar::prelude::*;

#[kernel]
pub fn shifted(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, #[shape(n)] top: &mut GlobalTensor<f32>) { // error: J0210
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        let m = v.amax(d);
        y.at(r, ..).store(v - m);
        //+ top.at(r).store(m);
    }
}
