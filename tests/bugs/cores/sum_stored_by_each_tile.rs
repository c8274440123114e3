//! The sum of each tile is stored to the one number of the output: the last one stays.
//! runs: x = f32[1000]
//! y: sum(x)
use jumar::prelude::*;

#[kernel]
pub fn total(#[shape(n)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>) {
    //+ let mut s = across_cores::<f32>((), 0.0);
    for t in tiles(n) {
        y.at().store(x.at(t).load().sum(t)); //- error: J0207
        //+ s += x.at(t).load().sum(t);
    }
    //+ y.at().store(s);
}
