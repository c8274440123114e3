//! Whole numbers are divided: Div takes floats only.
//! runs: a = i32[70], b = i32[70] positive
//! y: floor_quotient(a, b)
use jumar::prelude::*;

#[kernel]
pub fn quotient(#[shape(n)] a: &GlobalTensor<i32>, #[shape(n)] b: &GlobalTensor<i32>, #[shape(n)] y: &mut GlobalTensor<i32>) {
    for t in tiles(n) {
        let (p, q) = (a.at(t).load(), b.at(t).load()); //-
        y.at(t).store(p / q); //- error: J0203
        //+ let (p, q) = (a.at(t).load().cast::<f32>(), b.at(t).load().cast::<f32>());
        //+ y.at(t).store((p / q).cast_with::<i32>(RoundMode::Floor));
    }
}
