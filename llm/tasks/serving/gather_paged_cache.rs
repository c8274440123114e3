#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16)]
    pub fn gather_paged_cache<T: Float>(
        #[shape(blocks, size, d)] cache: &GlobalTensor<T>,
        #[shape(b, m)] block_table: &GlobalTensor<i32>,
        #[shape(b + 1)] starts: &GlobalTensor<i32>,
        #[shape(n, d)] y: &mut GlobalTensor<T>,
    ) {
        require(blocks >= 1 && size >= 1);
        for (i, j) in tiles((each(b), each(m))) {
            let lo = starts.at(i).load().scalar() as usize + j * size;
            let hi = (lo + size).min(starts.at(i + 1).load().scalar() as usize);
            let at = block_table.at(i, j).load().scalar() as usize;
            let at = at.max(0).min(blocks - 1);
            assume(0 <= lo && hi <= n);
            for t in tiles(lo..hi) {
                y.at(t, ..).store_disjoint(cache.at(at, t - lo, ..).load());
            }
        }
    }
}
