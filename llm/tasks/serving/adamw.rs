#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(bf16, f32)]
    pub fn adamw<T: Float>(
        #[inplace] params: &mut [GlobalTensor<T>],
        grads: &[GlobalTensor<T>],
        #[inplace] ms: &mut [GlobalTensor<f32>],
        #[inplace] vs: &mut [GlobalTensor<f32>],
        lr: f32,
        beta1: f32,
        beta2: f32,
        eps: f32,
        weight_decay: f32,
        correction1: f32,
        correction2: f32,
    ) {
        let root = correction2.sqrt();
        for (p, g, m, v) in zip((params, grads, ms, vs)) {
            for t in tiles(p) {
                let g = g.at(t).load().wide();
                let a = m.at(t).load() * beta1 + g * (1.0 - beta1);
                let b = v.at(t).load() * beta2 + g * g * (1.0 - beta2);
                let kept = p.at(t).load().wide() * (1.0 - lr * weight_decay);
                m.at(t).store(a);
                v.at(t).store(b);
                p.at(t).store((kept - a / (b.sqrt() / root + eps) * (lr / correction1)).cast::<T>());
            }
        }
    }
}
