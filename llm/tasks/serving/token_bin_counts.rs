#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn token_bin_counts(#[shape(n, m)] tokens: &GlobalTensor<i64>, v: usize, #[shape(n, v)] counts: &mut GlobalTensor<i32>) {
        for (i, t) in tiles((each(n), m)) {
            let ids = tokens.at(i, t).load().cast::<i32>();
            let is_token = ids.ge(0) & ids.le(v - 1);
            counts.at(i, ids.max(0).min(v - 1)).atomic_add(is_token.select(1, 0));
        }
    }
}
