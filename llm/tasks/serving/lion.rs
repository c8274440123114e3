#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    #[instances(bf16, f32)]
    pub fn lion<T: Float>(
        #[inplace] p: &mut GlobalTensor<T>,
        grad: &GlobalTensor<T>,
        #[inplace] m: &mut GlobalTensor<f32>,
        lr: f32,
        beta1: f32,
        beta2: f32,
        weight_decay: f32,
    ) {
        for t in tiles(p) {
            let (g, old) = (grad.at(t).load().wide(), m.at(t).load());
            let step = (old * beta1 + g * (1.0 - beta1)).sign();
            m.at(t).store(old * beta2 + g * (1.0 - beta2));
            p.at(t).store((p.at(t).load().wide() * (1.0 - lr * weight_decay) - step * lr).cast::<T>());
        }
    }
}
