//! Rows and columns of the diagonal go by one tile, and nothing says that there are as many columns as rows.
//! runs: x = f32[9, 9]
//! y: trace_terms(x)
use jumar::prelude::*;

#[kernel]
pub fn diagonal(#[shape(n, m)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    //+ require(n == m);
    for i in each(n) {
        y.at(i).store(x.at(i, i).load()); // error: J0216
    }
}
