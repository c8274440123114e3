//! The author assumes that segments end inside; the data of this launch do not.
//! runs: ends = i32[4]{0, 3, 3, 9}, x = f32[9], y = f32[3]
//! fails: ends = i32[4]{0, 3, 3, 10}, x = f32[9], y = f32[3]
//! y: segment_sums(ends, x)
use jumar::prelude::*;

#[kernel]
pub fn sums(#[shape(n + 1)] ends: &GlobalTensor<i32>, #[shape(m)] x: &GlobalTensor<f32>, #[shape(n)] y: &mut GlobalTensor<f32>) {
    for i in each(n) {
        let (lo, hi) = (ends.at(i).load().scalar() as usize, ends.at(i + 1).load().scalar() as usize);
        assume(0 <= lo && hi <= m); // fault: J0813
        let mut s = full((), 0.0);
        for r in tiles(lo..hi) {
            s = s + x.at(r).load().sum(r);
        }
        y.at(i).store(s);
    }
}
