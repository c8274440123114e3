//! Each row is wanted twice, and the row that it is taken from is rounded up.
//! runs: x = f32[5, 70]
//! y: rows_twice(x)
use jumar::prelude::*;

#[kernel]
pub fn twice(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(m = n * 2, d)] y: &mut GlobalTensor<f32>) {
    for (i, t) in tiles((each(m), d)) {
        y.at(i, t).store(x.at(i.div_ceil(2), t).load()); //- error: J0216
        //+ y.at(i, t).store(x.at(i / 2, t).load());
    }
}
