//! Sums over rows are stored in the loop that divides the rows.
//! runs: x = f32[9, 70]
//! y: column_sums(x)
use jumar::prelude::*;

#[kernel]
pub fn column_sums(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
    //+ let mut s = across_cores::<f32>(d, 0.0);
    for r in tiles(n) {
        y.at(..).store(x.at(r, ..).load().sum(r)); //- error: J0207
        //+ s += x.at(r, ..).load().sum(r);
    }
    //+ y.at(..).store(s);
}
