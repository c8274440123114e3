#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn min_p<T: Float>(
        #[inplace]
        #[shape(n, v)]
        logits: &mut GlobalTensor<T>,
        #[shape(n)] least: &GlobalTensor<f32>,
    ) {
        for r in tiles(n) {
            let x = logits.at(r, ..).load();
            let wide = x.wide();
            let limit = wide.amax(v) + least.at(r).load().ln();
            logits.at(r, ..).store(wide.lt(limit).select(f32::NEG_INFINITY, x));
        }
    }
}
