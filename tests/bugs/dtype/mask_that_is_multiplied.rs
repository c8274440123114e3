//! A comparison is multiplied like a tensor of 0 and 1.
//! runs: x = f32[70]
//! y: relu(x)
use jumar::prelude::*;

#[kernel]
pub fn relu(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let v = x.at(t).load();
        y.at(t).store(v * v.gt(0.0)); //- error: J0201
        //+ y.at(t).store(v * v.gt(0.0).cast::<f32>());
    }
}
