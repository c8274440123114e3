//! The means of tiles are added up: what comes out depends on how many tiles there are.
//! runs: x = f32[9, 70]
//! y: column_means(x)
use jumar::prelude::*;

#[kernel]
pub fn column_means(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
    require(n >= 1);
    for r in tiles(n) {
        y.at(..).atomic_add(x.at(r, ..).load().mean(r)); //- error: J0214
        //+ y.at(..).atomic_add(x.at(r, ..).load().sum(r) * (1.0 / n as f32));
    }
}
