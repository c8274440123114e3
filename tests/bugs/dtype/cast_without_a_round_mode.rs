//! CAST_NONE, as in every sample for half to float, on a cast from f32 to i32.
//! runs: x = f32[70]
//! y: rint(x)
use jumar::prelude::*;

#[kernel]
pub fn rounded(#[shape(n)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<i32>) {
    for t in tiles(n) {
        y.at(t).store(x.at(t).load().cast_with::<i32>(RoundMode::None)); //- error: J0205
        //+ y.at(t).store(x.at(t).load().cast_with::<i32>(RoundMode::Rint));
    }
}
