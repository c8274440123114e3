#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn apply_token_bitmask<T: Float>(
        #[inplace]
        #[shape(n, v)]
        logits: &mut GlobalTensor<T>,
        #[shape(n, w = (v + 31) / 32)] mask: &GlobalTensor<i32>,
    ) {
        let (c, k, p) = (new_axis(4096), new_axis(128), new_axis((v + 4095) / 4096));
        let power = full::<i32>(c, 1);
        let power = (c.iota() & 16).eq(0).select(power, power << 16);
        let power = (c.iota() & 8).eq(0).select(power, power << 8);
        let power = (c.iota() & 4).eq(0).select(power, power << 4);
        let power = (c.iota() & 2).eq(0).select(power, power << 2);
        let power = (c.iota() & 1).eq(0).select(power, power << 1);
        let word = (c.iota() >> 5).max(0).min(127);
        for r in tiles(n) {
            for part in each(p) {
                let x = logits.at(r, c.indices() + part * 4096).load_or(0.0);
                let bits = mask.at(r, k.indices() + part * 128).load_or(0).pick(k, word) & power;
                logits.at(r, c.indices() + part * 4096).store_in(bits.eq(0).select(f32::NEG_INFINITY, x));
            }
        }
    }
}
