//! One branch of an if keeps the rows, the other one reduces them.
//! runs: x = f32[9, 70], centred = true
//! y: rows_minus_max(x)
use jumar::prelude::*;

#[kernel]
pub fn shifted(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>, centred: bool) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        let u = if centred { v.amax(d) } else { v * 0.0 }; //- error: J0206
        //+ let u = if centred { v.amax(d) } else { full(r, 0.0) };
        y.at(r, ..).store(v - u);
    }
}
