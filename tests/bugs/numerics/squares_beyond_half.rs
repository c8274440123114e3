//! Squares of f16 that pass 65504 are infinite.
//! runs: x = f16[9, 70] times 100
//! y: row_norms(x)
use jumar::prelude::*;

#[kernel]
pub fn norms(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load();
        y.at(r).store((v * v).cast::<f32>().sum(d).sqrt()); //- fault: J0815
        //+ let w = v.cast::<f32>();
        //+ y.at(r).store((w * w).sum(d).sqrt());
    }
}
