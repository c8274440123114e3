//! The ends of segments are data, and nothing says that they lie in the tensor.
//! runs: ends = i32[4]{0, 3, 3, 9}, x = f32[9], y = f32[3]
//! y: segment_sums(ends, x)
use jumar::prelude::*;

#[kernel]
pub fn sums(#[shape(n + 1)] ends: &GlobalTensor<i32>, #[shape(m)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for i in each(n) {
        let (lo, hi) = (ends.at(i).load().scalar() as usize, ends.at(i + 1).load().scalar() as usize);
        //+ assume(0 <= lo && hi <= m);
        let mut s = full((), 0.0);
        for r in tiles(lo..hi) {
            s = s + x.at(r).load().sum(r); // error: J0216
        }
        y.at(i).store(s);
    }
}
