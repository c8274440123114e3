//! Whole numbers are put in order, which Sort32 takes as floats alone.
//! runs: x = i32[1, 7] {5, 1, 4, 2, 3, 70, -8}
//! y: sorted(x)
use jumar::prelude::*;

#[kernel]
pub fn sorted(#[shape(n, d)] x: &GlobalTensor<i32>, #[shape(n, d)] y: &mut GlobalTensor<i32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        y.at(r, ..).store(v.sort(d)); //- error: J0203
        //+ y.at(r, ..).store(v.pick(d, v.cast::<f32>().argsort(d)));
    }
}
