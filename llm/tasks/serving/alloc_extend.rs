#[kernels]
pub mod answer {
    use jumar::prelude::*;

    fn pages(v: Tile<i32>, page: i32) -> Tile<i32> {
        (v.cast::<f32>() / page as f32).cast_with::<i32>(RoundMode::Floor)
    }

    #[kernel]
    pub fn alloc_extend(
        #[shape(b)] before: &GlobalTensor<i32>,
        #[shape(b)] after: &GlobalTensor<i32>,
        #[shape(b)] last: &GlobalTensor<i32>,
        #[shape(f)] free: &GlobalTensor<i32>,
        page: i32,
        #[shape(n)] slots: &mut GlobalTensor<i32>,
    ) {
        require(page >= 1 && f >= 1);
        for i in each(b) {
            let (all, old) = (after.at(..).load(), before.at(..).load());
            let earlier = b.iota().lt(i as i32);
            let start = earlier.select(all - old, 0).sum(b).scalar() as usize;
            let new = pages(all + (page - 1), page) - pages(old + (page - 1), page);
            let first = earlier.select(new, 0).sum(b);
            let (lo, own) = (before.at(i).load(), last.at(i).load());
            let whole = pages(lo + (page - 1), page) * page;
            let grown = (after.at(i).load() - lo).scalar() as usize;
            assume(grown >= 0 && start >= 0 && start + grown <= n);
            for t in tiles(0..grown) {
                let past = t.iota() + lo - whole;
                let which = pages(past, page);
                let new = free.at((which + first).max(0).min(f - 1)).load() * page + past - which * page;
                slots.at(t + start).store_disjoint(past.lt(0).select(t.iota() + own + 1, new));
            }
        }
    }
}
