#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn cross_entropy_backward<T: Float>(
        #[shape(n, v)] logits: &GlobalTensor<T>,
        #[shape(n)] target: &GlobalTensor<i64>,
        #[shape(n)] dloss: &GlobalTensor<f32>,
        #[default(-100)] ignore_index: i32,
        #[default(0.0)] smoothing: f32,
        #[shape(n, v)] dx: &mut GlobalTensor<T>,
    ) {
        for r in tiles(n) {
            let x = logits.at(r, ..).load().wide();
            let e = (x - x.amax(v)).exp();
            let at = target.at(r).load().cast::<i32>();
            let hit = v.iota().expand(r).eq(at).select(1.0 - smoothing, 0.0);
            let g = at.eq(ignore_index).select(0.0, dloss.at(r).load());
            dx.at(r, ..).store(((e / e.sum(v) - hit - smoothing / v as f32) * g).cast::<T>());
        }
    }
}
