//! A mean divides each tile's sum by that tile's length before it is added.
//! runs: x = f32[300, 70]
//! y: column_means(x)
use jumar::prelude::*;

#[kernel]
pub fn column_means(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
    require(m >= 1);
    for t in tiles(d) {
        let mut s = full(t, 0.0);
        for j in tiles(m) {
            s = s + x.at(j, t).load().sum(j) / j.len() as f32; //- error: J0214
            //+ s = s + x.at(j, t).load().sum(j) / m as f32;
        }
        y.at(t).store(s);
    }
}
