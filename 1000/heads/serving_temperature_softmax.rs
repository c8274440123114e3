use jumar::prelude::*;
#[kernel]
pub fn temperature_softmax<T: Float>(
    #[shape(n, v)] logits: &GlobalTensor<T>,
    #[shape(n)] temperature: &GlobalTensor<f32>,
    #[shape(n, v)] probs: &mut GlobalTensor<f32>,
) {
    for t0 in tiles(n) {
        let h0 = logits.at(t0, ..).load();
        let v0 = h0.cast::<f32>();
        let v1 = temperature.at(t0).load();
        let v2 = 1.0 / v1;
        let v3 = v0 * v2;
        let v4 = v3.amax(v);
        let v5 = v3 - v4;
        let v6 = v5.exp();
        let v7 = v6.sum(v);
        let v8 = v6 / v7;
        probs.at(t0, ..).store(v8);
    }
}
