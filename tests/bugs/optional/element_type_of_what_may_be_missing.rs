//! The element type of the kernel is said by the tensor that may be left out.
//! runs: x = f32[9, 70]
//! y: times(x, 1)
use jumar::prelude::*;

#[kernel]
pub fn scaled<T: Float>(
    #[shape(n, d)] x: &GlobalTensor<f32>, //-
    //+ #[shape(n, d)] x: &GlobalTensor<T>,
    #[shape(d)] w: Option<&GlobalTensor<T>>, // error: J0104
    #[shape(n, d)] y: &mut GlobalTensor<f32>,
) {
    for r in tiles(n) {
        y.at(r, ..).store(x.at(r, ..).load().cast::<f32>() * w.or_full(1.0).at(..).load().cast::<f32>());
    }
}
