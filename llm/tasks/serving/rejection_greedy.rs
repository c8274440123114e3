#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn rejection_greedy(
        #[shape(b)] ends: &GlobalTensor<i32>,
        #[shape(n)] draft: &GlobalTensor<i32>,
        #[shape(n)] target: &GlobalTensor<i32>,
        #[shape(b)] bonus: &GlobalTensor<i32>,
        most: usize,
        #[shape(b, m = most + 1)] y: &mut GlobalTensor<i32>,
    ) {
        for i in each(b) {
            let lo = ends.at(i - 1).load_or(0).scalar() as usize;
            let count = ends.at(i).load().scalar() - lo as i32;
            let taken = draft.at(m.indices() + lo - 1).load_or(-1).eq(target.at(m.indices() + lo - 1).load_or(-1));
            let taken = (taken | m.iota().eq(0)).select(1, 0).cumprod(m).gt(0);
            let own = target.at(m.indices() + lo).load_or(-1);
            let own = m.iota().eq(count).select(bonus.at(i).load().expand(m), own);
            y.at(i, ..).store((taken & m.iota().le(count)).select(own, -1));
        }
    }
}
