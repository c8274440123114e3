//! An if that gives a value has no else.
//! runs: x = f32[70], twice = true
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn scaled(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, twice: bool) {
    for t in tiles(n) {
        let v = x.at(t).load();
        let u = if twice { v * 2.0 }; //- error: J0101
        //+ let u = if twice { v * 2.0 } else { v };
        y.at(t).store(u);
    }
}
