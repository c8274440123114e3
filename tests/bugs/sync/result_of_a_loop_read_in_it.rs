//! The maximum over all cores is subtracted in the loop that still looks for it.
//! runs: x = f32[1000]
//! y: minus_max(x)
use jumar::prelude::*;

#[kernel]
pub fn shifted(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    let mut top = across_cores::<f32>((), f32::NEG_INFINITY);
    for t in tiles(n) {
        let v = x.at(t).load();
        top = top.max(v.amax(t));
        y.at(t).store(v - top); //- error: J0214
    }
    //+ for t in tiles(n) {
    //+     y.at(t).store(x.at(t).load() - top);
    //+ }
}
