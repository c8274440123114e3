//! A scalar that a tile loop sets is read behind it: it is another number on each core.
//! runs: x = f32[9], y = f32[9]
//! y: minus_max(x)
use jumar::prelude::*;

#[kernel]
pub fn shifted(#[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>) {
    let mut top = f32::NEG_INFINITY; //-
    for i in each(n) { //-
        top = top.max(x.at(i).load().scalar()); //-
    } //-
    //+ let mut merged = across_cores::<f32>((), f32::NEG_INFINITY);
    //+ for t in tiles(n) {
    //+     merged = merged.max(x.at(t).load().amax(t));
    //+ }
    //+ let top = merged.scalar();
    for t in tiles(n) {
        y.at(t).store(x.at(t).load() - top); // error: J0214
    }
}
