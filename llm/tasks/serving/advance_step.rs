#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn advance_step(
        #[shape(n)] sampled: &GlobalTensor<i64>,
        #[shape(n, m)] blocks: &GlobalTensor<i32>,
        block_size: i32,
        #[shape(n)] tokens: &mut GlobalTensor<i64>,
        #[shape(n)] positions: &mut GlobalTensor<i64>,
        #[inplace]
        #[shape(n)]
        lengths: &mut GlobalTensor<i32>,
        #[shape(n)] slots: &mut GlobalTensor<i32>,
    ) {
        require(block_size >= 1 && m >= 1);
        for r in tiles(n) {
            let at = lengths.at(r).load();
            tokens.at(r).store(sampled.at(r).load());
            positions.at(r).store(at.cast::<i64>());
            lengths.at(r).store(at + 1);
            let place = (at.cast::<f32>() / block_size as f32).cast_with::<i32>(RoundMode::Floor).max(0).min(m as i32 - 1);
            let block = blocks.at(r, ..).load().pick(m, place);
            slots.at(r).store(block * block_size + at - place * block_size);
        }
    }
}
