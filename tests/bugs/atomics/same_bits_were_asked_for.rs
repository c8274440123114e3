//! A kernel that is to give the same bits in each run adds floats in GM.
//! runs: x = f32[9, 70]
//! y: column_sums(x)
use jumar::prelude::*;

#[kernel]
#[deterministic]
pub fn column_sums(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
    //+ let mut s = across_cores::<f32>(d, 0.0);
    for r in tiles(n) {
        y.at(..).atomic_add(x.at(r, ..).load().sum(r)); //- error: J0220
        //+ s += x.at(r, ..).load().sum(r);
    }
    //+ y.at(..).store(s);
}
