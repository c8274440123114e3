//! An if asks a comparison of tiles, as if it were one number.
//! runs: x = f32[70]
//! y: relu(x)
use jumar::prelude::*;

#[kernel]
pub fn relu(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let v = x.at(t).load();
        let u = if v.gt(0.0) { v } else { v * 0.0 }; //- error: J0208
        //+ let u = v.gt(0.0).select(v, 0.0);
        y.at(t).store(u);
    }
}
