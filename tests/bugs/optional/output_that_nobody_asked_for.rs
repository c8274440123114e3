//! An output that a launch may leave out is stored to as if it were always given.
//! runs: x = f32[9, 70]
//! y: times(x, 2)
use jumar::prelude::*;

#[kernel]
pub fn doubled(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n)] top: Option<&mut GlobalTensor<f32>>, #[shape(n, d)] y: &mut GlobalTensor<f32>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load() * 2.0;
        y.at(r, ..).store(v);
        top.at(r).store(v.amax(d)); //- error: J0103
        //+ if let Some(top) = top {
        //+     top.at(r).store(v.amax(d));
        //+ }
    }
}
