//! An output list is not gone through, so that nothing writes its tensors.
//! runs: xs.0 = f32[70], xs.1 = f32[8]
//! ys.0: times(xs.0, 2)
//! ys.1: times(xs.1, 2)
//! zs.0: times(xs.0, 3)
//! zs.1: times(xs.1, 3)
use jumar::prelude::*;

#[kernel]
pub fn both(#[shape(n)] xs: &[GlobalTensor<f32>], #[shape(n)] ys: &mut [GlobalTensor<f32>],
    #[shape(n)] zs: &mut [GlobalTensor<f32>]) { //- error: J0210
    //+ #[shape(n)] zs: &mut [GlobalTensor<f32>]) {
    for (x, y) in zip((xs, ys)) { //-
        //+ for (x, y, z) in zip((xs, ys, zs)) {
        for t in tiles(n) {
            let v = x.at(t).load();
            y.at(t).store(v * 2.0);
            //+ z.at(t).store(v * 3.0);
        }
    }
}
