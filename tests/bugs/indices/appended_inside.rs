//! Elements are appended in a loop inside another one, whose rows cores share in any order.
//! runs: x = f32[9, 70], cap = 630, y = f32[630]
//! y: packed(x, y)
use jumar::prelude::*;

#[kernel]
pub fn packed(#[shape(n, d)] x: &GlobalTensor<f32>, cap: usize, #[inplace] #[shape(cap)] y: &mut GlobalTensor<f32>) {
    for i in each(n) { //-
        for t in tiles(d) { //-
            let v = x.at(i, t).load(); //-
            y.append(v, v.gt(0.0)); //- error: J0218
        } //-
    } //-
    //+ for (i, t) in tiles((each(n), d)) {
    //+     let v = x.at(i, t).load();
    //+     y.append(v, v.gt(0.0));
    //+ }
}
