//! An author promises that how often the largest comes does not depend on the cut, and forgets to count anew where it grows.
//! runs: x = f32[300, 70]
//! y: largest_counts(x)
use jumar::prelude::*;

#[kernel]
pub fn largest_counts(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
    require(m >= 1);
    for t in tiles(d) {
        let (mut top, mut count) = (full(t, f32::NEG_INFINITY), full(t, 0.0));
        for j in tiles(m).any_cut() {
            let v = x.at(j, t).load();
            let new = top.max(v.amax(j));
            let own = v.eq(new).select(1.0, 0.0).sum(j);
            count = count + own; //-
            //+ count = top.eq(new).select(count, 0.0) + own;
            top = new;
        }
        y.at(t).store(count); //- fault: J0814
        //+ y.at(t).store(count);
    }
}
