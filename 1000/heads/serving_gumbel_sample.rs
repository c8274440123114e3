use jumar::prelude::*;
#[kernel]
pub fn gumbel_sample<T: Float>(
    #[shape(n, v)] logits: &GlobalTensor<T>,
    #[shape(n)] temperature: &GlobalTensor<f32>,
    #[shape(n, v)] noise: &GlobalTensor<f32>,
    #[shape(n)] tokens: &mut GlobalTensor<i64>,
) {
    require(v >= 1);
    require(v <= 16777216);
    for t0 in tiles(n) {
        let h0 = logits.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = temperature.at(t0).load();
        let m0 = v1.eq(0.0);
        let v2 = v0 / v1;
        let v3 = noise.at(t0, ..).load();
        let v4 = v2 + v3;
        let v5 = m0.select(v0, v4);
        let k0 = v5.argmax(v);
        let hl0 = k0.cast::<i64>();
        tokens.at(t0).store(hl0);
    }
}
