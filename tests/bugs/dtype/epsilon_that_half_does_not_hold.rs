//! An epsilon of 1e-12 on f16 tiles is 0 there, and a row of zeros divides by it.
//! runs: x = f16[9, 70]
//! y: l1_normed(x, 1e-12)
use jumar::prelude::*;

#[kernel]
pub fn l1(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n, d)] y: &mut GlobalTensor<f16>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load(); //-
        y.at(r, ..).store(v / (v.abs().sum(d) + 1e-12)); //- error: J0208, warning: J0902
        //+ let v = x.at(r, ..).load().cast::<f32>();
        //+ y.at(r, ..).store((v / (v.abs().sum(d) + 1e-12)).cast::<f16>());
    }
}
