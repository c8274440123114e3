//! The exponent of a power is a tile of i32 beside a base of f32.
//! runs: x = f32[70] positive, k = i32[70] below 4
//! y: power(x, k)
use jumar::prelude::*;

#[kernel]
pub fn power(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] k: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load().pow(k.at(t).load())); //- error: J0201
        //+ y.at(t).store(x.at(t).load().pow(k.at(t).load().cast::<f32>()));
    }
}
