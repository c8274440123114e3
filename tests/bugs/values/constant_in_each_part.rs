//! An epsilon is added to each tile's sum: as often as there are tiles.
//! runs: x = f32[300, 70]
//! y: column_sums_plus(x, 1)
use jumar::prelude::*;

#[kernel]
pub fn column_sums(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
    for t in tiles(d) {
        let mut s = full(t, 0.0);
        for j in tiles(m) {
            s = s + (x.at(j, t).load().sum(j) + 1.0); //- error: J0214
            //+ s = s + x.at(j, t).load().sum(j);
        }
        y.at(t).store(s); //-
        //+ y.at(t).store(s + 1.0);
    }
}
