//! The output is declared `[d, n]` and is indexed as if it were `[n, d]`.
//! runs: x = f32[9, 70]
//! y: transposed(x)
use jumar::prelude::*;

#[kernel]
pub fn transposed(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d, n)] y: &mut GlobalTensor<f32>) {
    for (r, t) in tiles((n, d)) {
        y.at(r, t).store(x.at(r, t).load()); //- error: J0209
        //+ y.at(t, r).store(x.at(r, t).load());
    }
}
