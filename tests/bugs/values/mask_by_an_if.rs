//! An if chooses between a comparison and numbers.
//! runs: x = f32[70], strict = true
//! y: relu(x)
use jumar::prelude::*;

#[kernel]
pub fn relu(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>, strict: bool) {
    for t in tiles(n) {
        let v = x.at(t).load();
        let keep = if strict { v.gt(0.0) } else { full(t, 1.0) }; //- error: J0201
        y.at(t).store(keep.select(v, 0.0)); //-
        //+ let keep = if strict { v.gt(0.0).select(1.0, 0.0) } else { full(t, 1.0) };
        //+ y.at(t).store(v * keep);
    }
}
