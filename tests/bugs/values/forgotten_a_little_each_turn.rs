//! A running value is halved in each turn before the next part is added: how often depends on the number of tiles.
//! runs: x = f32[300, 70]
//! y: column_sums(x)
use jumar::prelude::*;

#[kernel]
pub fn column_sums(#[shape(m, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
    for t in tiles(d) {
        let mut s = full(t, 0.0);
        for j in tiles(m) {
            s = s * 0.5 + x.at(j, t).load().sum(j); //- error: J0214
            //+ s = s + x.at(j, t).load().sum(j);
        }
        y.at(t).store(s);
    }
}
