use jumar::prelude::*;
#[kernel]
pub fn log_prob_and_rank<T: Float>(
    #[shape(n, v)] logits: &GlobalTensor<T>,
    #[shape(n)] #[index(v)] tokens: &GlobalTensor<i64>,
    #[shape(n)] log_prob: &mut GlobalTensor<f32>,
    #[shape(n)] rank: &mut GlobalTensor<i32>,
) {
    for i0 in each(n) {
        let h0 = logits.at(i0, ..).load();
        let v0 = h0.cast::<f32>();
        let hl0 = tokens.at(i0).load();
        let h1 = logits.at(i0, hl0).load();
        let v1 = h1.cast::<f32>();
        let v2 = v0.amax(v);
        let v3 = v1 - v2;
        let v4 = v0 - v2;
        let v5 = v4.exp();
        let v6 = v5.sum(v);
        let v7 = v6.ln();
        let v8 = v3 - v7;
        log_prob.at(i0).store(v8);
        let m0 = v0.ge(v1);
        let v9 = full::<f32>(v, 1.0);
        let v10 = m0.select(v9, 0.0);
        let v11 = v10.sum(v);
        let k0 = v11.cast::<i32>();
        rank.at(i0).store(k0);
    }
}
