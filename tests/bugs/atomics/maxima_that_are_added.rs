//! The maxima of tiles are added up: the word for a sum, for a maximum.
//! runs: x = f32[9, 70]
//! y: column_max(x)
use jumar::prelude::*;

#[kernel]
pub fn column_max(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(d)] y: &mut GlobalTensor<f32>) {
    //+ let mut m = across_cores::<f32>(d, f32::NEG_INFINITY);
    for r in tiles(n) {
        y.at(..).atomic_add(x.at(r, ..).load().amax(r)); //- error: J0214
        //+ m = m.max(x.at(r, ..).load().amax(r));
    }
    //+ y.at(..).store(m);
}
