use jumar::prelude::*;
#[kernel]
pub fn min_p<T: Float>(
    #[shape(n, v)] #[inplace] logits: &mut GlobalTensor<T>,
    #[shape(n)] least: &GlobalTensor<f32>,
) {
    for t0 in tiles(n) {
        let h0 = logits.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = v0.amax(v);
        let v2 = least.at(t0).load();
        let v3 = v2.ln();
        let v4 = v1 + v3;
        let m0 = v0.lt(v4);
        let h1 = full::<T>((t0, v), f32::NEG_INFINITY);
        let h2 = m0.select(h1, h0);
        logits.at(t0, ..).store(h2);
    }
}
