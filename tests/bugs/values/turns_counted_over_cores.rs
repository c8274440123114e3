//! A value over the cores counts elements by adding 1 a turn.
//! runs: x = f32[1000]
//! y: mean_of_all(x)
use jumar::prelude::*;

#[kernel]
pub fn mean(#[shape(n)] x: &GlobalTensor<f32>, #[shape()] y: &mut GlobalTensor<f32>) {
    let mut s = across_cores::<f32>((), 0.0);
    let mut count = across_cores::<f32>((), 0.0);
    for t in tiles(n) {
        let v = x.at(t).load();
        s += v.sum(t);
        count += full((), 1.0); //- error: J0214
        //+ count += full(t, 1.0).sum(t);
    }
    y.at().store(s / count);
}
