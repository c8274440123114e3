#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(f16, bf16, f32)]
    pub fn topk_softmax<T: Float>(
        #[shape(n, e)] gating: &GlobalTensor<T>,
        #[shape(n, k)] weights: &mut GlobalTensor<f32>,
        #[shape(n, k)] ids: &mut GlobalTensor<i32>,
        k: usize,
        renormalize: bool,
    ) {
        require(k >= 1 && k <= e);
        for r in tiles(n) {
            let v = gating.at(r, ..).load().wide();
            let (best, at) = v.topk(e, k);
            let top = v.amax(e);
            let w = (best - top).exp();
            let sum = if renormalize { w.sum(k) } else { (v - top).exp().sum(e) };
            weights.at(r, ..).store(w / sum);
            ids.at(r, ..).store(at);
        }
    }
}
