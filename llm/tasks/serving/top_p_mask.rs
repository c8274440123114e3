#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn top_p_mask(
        #[shape(n, v)] sorted: &GlobalTensor<f32>,
        #[shape(n)] p: &GlobalTensor<f32>,
        #[shape(n, v)] y: &mut GlobalTensor<f32>,
    ) {
        for r in tiles(n) {
            let x = sorted.at(r, ..).load();
            let e = (x - x.amax(v)).exp();
            let so_far = (e / e.sum(v)).cumsum(v);
            let out = so_far.le(1.0 - p.at(r).load()) & v.iota().lt(v - 1);
            y.at(r, ..).store(out.select(f32::NEG_INFINITY, x));
        }
    }
}
