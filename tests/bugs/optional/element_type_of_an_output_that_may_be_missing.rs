//! The element type of the kernel is said by an output that may be left out.
//! runs: x = f32[9, 70], also = f32[9, 70]
//! y: times(x, 1)
//! also: times(x, 1)
use jumar::prelude::*;

#[kernel]
pub fn copied<T: Float>(
    #[shape(n, d)] x: &GlobalTensor<f32>, //-
    //+ #[shape(n, d)] x: &GlobalTensor<T>,
    #[shape(n, d)] y: &mut GlobalTensor<f32>,
    #[shape(n, d)] also: Option<&mut GlobalTensor<T>>, // error: J0104
) {
    for t in tiles(x) {
        let v = x.at(t).load().cast::<f32>();
        y.at(t).store(v);
        if let Some(also) = also {
            also.at(t).store(v.cast::<T>());
        }
    }
}
