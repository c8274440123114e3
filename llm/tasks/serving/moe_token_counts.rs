#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn moe_token_counts(
        #[shape(n, k)]
        #[index(experts)]
        ids: &GlobalTensor<i32>,
        #[shape(experts)] counts: &mut GlobalTensor<i32>,
        experts: usize,
    ) {
        for (r, j) in tiles((n, k)) {
            counts.at(ids.at(r, j).load()).atomic_add(full::<i32>((r, j), 1));
        }
    }
}
