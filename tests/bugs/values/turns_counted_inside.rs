//! A loop inside counts its own turns to divide by them.
//! runs: x = f32[300, 70]
//! y: column_means(x)
use jumar::prelude::*;

#[kernel]
pub fn column_means(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
    require(m >= 1);
    for t in tiles(d) {
        let mut s = full(t, 0.0);
        let mut count = full(t, 0.0);
        for j in tiles(m) {
            s = s + x.at(j, t).load().sum(j);
            count = count + 1.0; //- error: J0214
            //+ count = count + full((j, t), 1.0).sum(j);
        }
        y.at(t).store(s / count);
    }
}
