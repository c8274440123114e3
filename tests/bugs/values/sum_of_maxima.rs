//! The maxima of tiles are added up where the largest of them was meant.
//! runs: x = f32[1000]
//! y: max(x)
use jumar::prelude::*;

#[kernel]
pub fn largest(#[shape(n)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>) {
    let mut top = across_cores::<f32>((), 0.0); //-
    //+ let mut top = across_cores::<f32>((), f32::NEG_INFINITY);
    for t in tiles(n) {
        top += x.at(t).load().amax(t); //- error: J0214
        //+ top = top.max(x.at(t).load().amax(t));
    }
    y.at().store(top);
}
