//! Whether a later loop runs hangs from a scalar that each core computes for itself.
//! runs: x = f32[70], y = f32[70]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn double(#[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>) {
    let mut found = false; //-
    for i in each(n) { //-
        found = found || x.at(i).load().scalar() > 0.0; //-
    } //-
    //+ let mut any = across_cores::<bool>((), false);
    //+ for t in tiles(n) {
    //+     any |= x.at(t).load().gt(0.0).any(t);
    //+ }
    //+ let found = any.scalar();
    if found { // error: J0214
        for t in tiles(n) {
            y.at(t).store(x.at(t).load() * 2.0);
        }
    }
}
