//! The largest element by an order, on a chip without Sort32.
//! runs: x = f32[8, 40]
//! y: row_max(x)
use jumar::prelude::*;

#[kernel]
#[chips(ascend310p)]
pub fn largest(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        y.at(r).store(v.sort(d).pick(d, d - 1)); //- error: J0502
        //+ y.at(r).store(v.amax(d));
    }
}
