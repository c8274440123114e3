#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn rejection_random(
        #[shape(b)] ends: &GlobalTensor<i32>,
        #[shape(n)]
        #[index(v)]
        draft: &GlobalTensor<i32>,
        #[shape(n, v)] draft_probs: &GlobalTensor<f32>,
        #[shape(n, v)] target_probs: &GlobalTensor<f32>,
        #[shape(n)] uniform: &GlobalTensor<f32>,
        #[shape(n)] recovered: &GlobalTensor<i32>,
        #[shape(b)] bonus: &GlobalTensor<i32>,
        most: usize,
        #[shape(b, m = most + 1)] y: &mut GlobalTensor<i32>,
    ) {
        let mut accepted = workspace::<i32>(n);
        for j in each(n) {
            let at = draft.at(j).load();
            let (p, q) = (target_probs.at(j, at).load(), draft_probs.at(j, at).load());
            accepted.at(j).store((q.gt(0.0) & p.ge(q * uniform.at(j).load())).select(1, 0));
        }
        for i in each(b) {
            let lo = ends.at(i - 1).load_or(0).scalar() as usize;
            let count = ends.at(i).load().scalar() - lo as i32;
            let before = m.iota().eq(0).select(1, accepted.at(m.indices() + lo - 1).load_or(0)).cumprod(m);
            let own = accepted
                .at(m.indices() + lo)
                .load_or(0)
                .gt(0)
                .select(draft.at(m.indices() + lo).load_or(-1), recovered.at(m.indices() + lo).load_or(-1));
            let own = m.iota().eq(count).select(bonus.at(i).load().expand(m), own);
            y.at(i, ..).store((before.gt(0) & m.iota().le(count)).select(own, -1));
        }
    }
}
