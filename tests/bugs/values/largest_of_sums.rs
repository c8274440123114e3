//! The largest of the sums of tiles: it is another number for each tile size.
//! runs: x = f32[40, 70]
//! y: max(x)
use jumar::prelude::*;

#[kernel]
pub fn largest(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>) {
    for t in tiles(d) { //-
        let mut top = full(t, f32::NEG_INFINITY); //-
        for j in tiles(n) { //-
            top = top.max(x.at(j, t).load().sum(j)); //- error: J0214
        } //-
        y.at().atomic_add(top.sum(t)); //-
    } //-
    //+ let mut top = across_cores::<f32>((), f32::NEG_INFINITY);
    //+ for r in tiles(n) {
    //+     top = top.max(x.at(r, ..).load().amax(..));
    //+ }
    //+ y.at().store(top);
}
