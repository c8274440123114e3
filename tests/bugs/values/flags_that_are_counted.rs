//! Elements above a bound are counted by asking each tile whether it has any.
//! runs: x = f32[1000]
//! count: positives(x)
use jumar::prelude::*;

#[kernel]
pub fn positives(#[shape(n)] x: &GlobalTensor<f32>, #[shape()] count: &mut GlobalTensor<i32>) {
    let mut c = across_cores::<i32>((), 0);
    for t in tiles(n) {
        let m = x.at(t).load().gt(0.0);
        c += m.any(t).select(1, 0); //- error: J0214
        //+ c += m.select(1, 0).sum(t);
    }
    count.at().store(c);
}
