//! Masks of tiles are joined by `&&`, which is for scalars.
//! runs: x = f32[70]
//! y: inside(x, -2, 2)
use jumar::prelude::*;

#[kernel]
pub fn inside(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let v = x.at(t).load();
        let m = v.gt(-2.0) && v.lt(2.0); //- error: J0103
        //+ let m = v.gt(-2.0) & v.lt(2.0);
        y.at(t).store(m.select(v, 0.0));
    }
}
