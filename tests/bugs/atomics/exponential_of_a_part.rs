//! What is added up is the exponential of each tile's sum, not of the whole one.
//! runs: x = f32[1000]
//! y: exp_of_mean(x)
use jumar::prelude::*;

#[kernel]
pub fn exp_of_mean(#[shape(n)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>) {
    require(n >= 1);
    //+ let mut s = across_cores::<f32>((), 0.0);
    for t in tiles(n) {
        y.at().atomic_add((x.at(t).load().sum(t) / n as f32).exp()); //- error: J0214
        //+ s += x.at(t).load().sum(t);
    }
    //+ y.at().store((s / n as f32).exp());
}
