//! Positions beyond 2^24 are kept as f32, where neighbours are one number.
//! runs: n = 100
//! y: counted_up(100)
//! missed: the host bounds the axis of indices by 2^31, not by what a cast of them to f32 holds
use jumar::prelude::*;

#[kernel]
pub fn positions(n: usize, #[shape(n)] y: &mut GlobalTensor<i32>) {
    require(n <= 2000000000);
    for t in tiles(n) {
        y.at(t).store(t.iota().cast::<f32>().cast_with::<i32>(RoundMode::Rint)); //-
        //+ y.at(t).store(t.iota());
    }
}
