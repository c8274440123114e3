use jumar::prelude::*;
#[kernel]
#[instances(bf16, f32)]
pub fn lion<T: Float>(
    #[shape(p_shape..)] #[inplace] p: &mut GlobalTensor<T>,
    #[shape(p_shape..)] grad: &GlobalTensor<T>,
    #[shape(p_shape..)] #[inplace] m: &mut GlobalTensor<f32>,
    lr: f32,
    beta1: f32,
    beta2: f32,
    weight_decay: f32,
) {
    for t0 in tiles(p_shape) {
        let h0 = grad.at(t0).load();
        let v0 = h0.cast::<f32>();
        let v1 = m.at(t0).load();
        let v2 = v1 * beta1;
        let s0 = 1.0 - beta1;
        let v3 = v0 * s0;
        let v4 = v2 + v3;
        let v5 = v4.sign();
        let v6 = v1 * beta2;
        let s1 = 1.0 - beta2;
        let v7 = v0 * s1;
        let v8 = v6 + v7;
        m.at(t0).store(v8);
        let h1 = p.at(t0).load();
        let v9 = h1.cast::<f32>();
        let s2 = lr * weight_decay;
        let s3 = 1.0 - s2;
        let v10 = v9 * s3;
        let v11 = v5 * lr;
        let v12 = v10 - v11;
        let h2 = v12.cast::<T>();
        p.at(t0).store(h2);
    }
}
