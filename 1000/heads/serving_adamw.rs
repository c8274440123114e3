use jumar::prelude::*;
#[kernel]
#[instances(bf16, f32)]
pub fn adamw<T: Float>(
    #[shape(params_shape..)] #[inplace] params: &mut [GlobalTensor<T>],
    #[shape(params_shape..)] grads: &[GlobalTensor<T>],
    #[shape(params_shape..)] #[inplace] ms: &mut [GlobalTensor<f32>],
    #[shape(params_shape..)] #[inplace] vs: &mut [GlobalTensor<f32>],
    lr: f32,
    beta1: f32,
    beta2: f32,
    eps: f32,
    weight_decay: f32,
    correction1: f32,
    correction2: f32,
) {
    for (y0, x0, y1, y2) in zip((params, grads, ms, vs)) {
        let s0 = correction2.sqrt();
        for t0 in tiles(params_shape) {
            let h0 = x0.at(t0).load();
            let v0 = h0.cast::<f32>();
            let v1 = y1.at(t0).load();
            let v2 = v1 * beta1;
            let s1 = 1.0 - beta1;
            let v3 = v0 * s1;
            let v4 = v2 + v3;
            let v5 = y2.at(t0).load();
            let v6 = v5 * beta2;
            let v7 = v0 * v0;
            let s2 = 1.0 - beta2;
            let v8 = v7 * s2;
            let v9 = v6 + v8;
            let h1 = y0.at(t0).load();
            let v10 = h1.cast::<f32>();
            let s3 = lr * weight_decay;
            let s4 = 1.0 - s3;
            let v11 = v10 * s4;
            y1.at(t0).store(v4);
            y2.at(t0).store(v9);
            let v12 = v9.sqrt();
            let v13 = v12 / s0;
            let v14 = v13 + eps;
            let v15 = v4 / v14;
            let s5 = lr / correction1;
            let v16 = v15 * s5;
            let v17 = v11 - v16;
            let h2 = v17.cast::<T>();
            y0.at(t0).store(h2);
        }
    }
}
