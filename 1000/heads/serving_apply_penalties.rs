use jumar::prelude::*;
#[kernel]
pub fn apply_penalties<T: Float>(
    #[shape(n, v)] #[inplace] logits: &mut GlobalTensor<T>,
    #[shape(n, v)] in_prompt: &GlobalTensor<bool>,
    #[shape(n, v)] counts: &GlobalTensor<i32>,
    #[shape(n)] repetition: &GlobalTensor<f32>,
    #[shape(n)] frequency: &GlobalTensor<f32>,
    #[shape(n)] presence: &GlobalTensor<f32>,
) {
    for (t0, t1) in tiles((n, v)) {
        let k0 = counts.at(t0, t1).load();
        let v0 = k0.cast::<f32>();
        let m0 = v0.gt(0.0);
        let ho0 = in_prompt.at(t0, t1).load();
        let m1 = ho0.cast::<bool>();
        let m2 = m1 | m0;
        let v1 = repetition.at(t0).load();
        let v2 = v1.expand(t1);
        let v3 = m2.select(v2, 1.0);
        let h0 = logits.at(t0, t1).load();
        let v4 = h0.cast::<f32>();
        let m3 = v4.gt(0.0);
        let v5 = v4 / v3;
        let v6 = v4 * v3;
        let v7 = m3.select(v5, v6);
        let v8 = frequency.at(t0).load();
        let v9 = v0 * v8;
        let v10 = v7 - v9;
        let v11 = presence.at(t0).load();
        let v12 = v11.expand(t1);
        let v13 = m0.select(v12, 0.0);
        let v14 = v10 - v13;
        let h1 = v14.cast::<T>();
        logits.at(t0, t1).store(h1);
    }
}
