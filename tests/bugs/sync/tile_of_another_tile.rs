//! An element is looked up in the output that the same loop stores, for another index: another core may have it.
//! runs: x = f32[70], y = f32[70]
//! y: reversed(x)
use jumar::prelude::*;

#[kernel]
pub fn reversed(#[shape(n)] x: &GlobalTensor<f32>, #[inplace] #[shape(n)] y: &mut GlobalTensor<f32>) {
    for i in each(n) { //-
        y.at(i).store(x.at(i).load()); //-
        y.at(i).store(y.at(n - 1 - i).load()); //- error: J0411
    //+ for i in each(n) {
    //+     y.at(i).store(x.at(n - 1 - i).load());
    }
}
