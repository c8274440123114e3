use jumar::prelude::*;
#[kernel]
pub fn advance_step(
    #[shape(n)] sampled: &GlobalTensor<i64>,
    #[shape(n, m)] blocks: &GlobalTensor<i32>,
    block_size: i32,
    #[shape(n)] tokens: &mut GlobalTensor<i64>,
    #[shape(n)] positions: &mut GlobalTensor<i64>,
    #[shape(n)] #[inplace] lengths: &mut GlobalTensor<i32>,
    #[shape(n)] slots: &mut GlobalTensor<i32>,
) {
    require(block_size >= 1 && m >= 1);
    for t0 in tiles(n) {
        let k0 = lengths.at(t0).load();
        let hl0 = sampled.at(t0).load();
        tokens.at(t0).store(hl0);
        let hl1 = k0.cast::<i64>();
        positions.at(t0).store(hl1);
        let k1 = k0 + 1;
        lengths.at(t0).store(k1);
        let v0 = k0.cast::<f32>();
        let s0 = block_size as f32;
        let v1 = v0 / s0;
        let k2 = v1.cast_with::<i32>(RoundMode::Floor);
        let k3 = k2.max(0);
        let j0 = m as i32;
        let j1 = j0 - 1;
        let k4 = k3.min(j1);
        let k5 = blocks.at(t0, ..).load();
        let k6 = k5.pick(m, k4);
        let k7 = k6 * block_size;
        let k8 = k7 + k0;
        let k9 = k4 * block_size;
        let k10 = k8 - k9;
        slots.at(t0).store(k10);
    }
}
