#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn feeds_repeat<T: Float>(
        #[shape(n, d)] x: &GlobalTensor<T>,
        #[shape(n)] times: &GlobalTensor<i32>,
        size: usize,
        #[shape(size, d)] y: &mut GlobalTensor<T>,
    ) {
        for (i, t) in tiles((each(size), d)) {
            y.at(i, t).store(full::<T>(t, 0.0));
        }
        for (i, t) in tiles((each(n), d)) {
            let mut before = full::<i32>((), 0);
            for q in tiles(0..i) {
                before = before + times.at(q).load().sum(q);
            }
            let first = before.scalar() as usize;
            let end = first + times.at(i).load().scalar() as usize;
            assume(0 <= first && end <= size);
            let row = x.at(i, t).load();
            for q in first..end {
                y.at(q, t).store_disjoint(row);
            }
        }
    }
}
