//! Long rows are summed in f16: each addition is rounded to 11 bits.
//! runs: x = f16[3, 4000] positive
//! y: row_means(x)
use jumar::prelude::*;

#[kernel]
pub fn means(#[shape(n, d)] x: &GlobalTensor<f16>, #[shape(n)] y: &mut GlobalTensor<f16>) {
    for r in tiles(n) {
        y.at(r).store(x.at(r, ..).load().mean(d)); //- warning: J0902
        //+ y.at(r).store(x.at(r, ..).load().cast::<f32>().mean(d).cast::<f16>());
    }
}
