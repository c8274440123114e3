//! Positions beyond 2^24 are kept as f32, where neighbours are one number.
//! runs: n = 100
//! y: counted_up(100)
use jumar::prelude::*;

#[kernel]
pub fn positions(n: usize, #[shape(n)] y: &mut GlobalTensor<i32>) {
    require(n <= 2000000000);
    for t in tiles(n) {
        y.at(t).store(t.iota().cast::<f32>().cast_with::<i32>(RoundMode::Rint)); //- warning: J0904
        //+ y.at(t).store(t.iota());
    }
}
