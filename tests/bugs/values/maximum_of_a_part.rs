//! An online softmax along a loop inside that subtracts each tile's own maximum and never rescales.
//! runs: x = f32[9, 300]
//! y: row_exp_sums(x)
use jumar::prelude::*;

#[kernel]
pub fn exp_sums(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let mut s = full(r, 0.0);
        for j in tiles(d) {
            let v = x.at(r, j).load();
            s = s + (v - v.amax(j)).exp().sum(j); //- error: J0214
            //+ s = s + v.exp().sum(j);
        }
        y.at(r).store(s);
    }
}
