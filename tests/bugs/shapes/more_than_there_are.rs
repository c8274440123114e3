//! Of rows of five the eight largest are asked for.
//! runs: x = f32[9, 70], k = 8
//! fails: x = f32[9, 5], k = 8
//! refused: J0604
//! y: largest(x, 8)
use jumar::prelude::*;

#[kernel]
pub fn largest(#[shape(n, d)] x: &GlobalTensor<f32>, #[shape(n, k)] y: &mut GlobalTensor<f32>, k: usize) {
    for r in tiles(n) {
        let (best, _) = x.at(r, ..).load().topk(d, k);
        y.at(r, ..).store(best);
    }
}
