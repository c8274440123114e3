//! Values over all cores on a chip whose cores have no barrier.
//! runs: x = f32[8, 64]
//! y: row_sums(x)
use jumar::prelude::*;

#[kernel]
#[chips(ascend310p)]
pub fn sums(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    let mut s = across_cores::<f32>(n, 0.0); //- error: J0502
    for t in tiles(d) { //-
        s += x.at(.., t).load().sum(t); //-
    } //-
    y.at(..).store(s); //-
    //+ require(n % 8 == 0);
    //+ require(d % 8 == 0);
    //+ for r in tiles(n) {
    //+     y.at(r).store(x.at(r, ..).load().sum(d));
    //+ }
}
