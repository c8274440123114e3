//! A padding mask comes as f32 zeros and ones and is joined with a comparison.
//! runs: x = f32[70], keep = f32[70] bits
//! y: relu_where(x, keep)
use jumar::prelude::*;

#[kernel]
pub fn kept(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] keep: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for t in tiles(n) {
        let v = x.at(t).load();
        let m = v.gt(0.0) & keep.at(t).load(); //- error: J0201
        //+ let m = v.gt(0.0) & keep.at(t).load().cast::<bool>();
        y.at(t).store(m.select(v, 0.0));
    }
}
