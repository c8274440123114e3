//! Rows go in pairs, `n / 2` of them: of an odd number the last row is never stored.
//! runs: x = f32[8, 70]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    //+ require(n % 2 == 0);
    let pairs = new_axis(n / 2);
    for (i, t) in tiles((each(pairs), d)) {
        for k in 0..2 {
            y.at(i * 2 + k, t).store(x.at(i * 2 + k, t).load() * 2.0); // error: J0219
        }
    }
}
