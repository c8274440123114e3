#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[derive(PartialEq)]
    pub enum Mode {
        Adam,
        AdamW,
    }

    #[kernel]
    pub fn apply_fused_ema_adam<T: Float>(
        grad: &GlobalTensor<T>,
        #[inplace] var: &mut GlobalTensor<T>,
        #[inplace] m: &mut GlobalTensor<T>,
        #[inplace] v: &mut GlobalTensor<T>,
        #[inplace] s: &mut GlobalTensor<T>,
        #[shape(1)] step: &GlobalTensor<i64>,
        lr: f32,
        ema_decay: f32,
        beta1: f32,
        beta2: f32,
        eps: f32,
        mode: Mode,
        bias_correction: bool,
        weight_decay: f32,
    ) {
        let k = step.at(0).load().cast::<f32>();
        let corrected = if bias_correction { 1.0 } else { 0.0 };
        let (first, second) = (1.0 - full((), beta1).pow(k) * corrected, 1.0 - full((), beta2).pow(k) * corrected);
        for t in tiles(grad) {
            let p = var.at(t).load().wide();
            let decay = p * weight_decay;
            let mut g = grad.at(t).load().wide();
            if mode == Mode::Adam {
                g = g + decay;
            }
            let a = m.at(t).load().wide() * beta1 + g * (1.0 - beta1);
            let b = v.at(t).load().wide() * beta2 + g * g * (1.0 - beta2);
            let mut u = a / first / ((b / second).sqrt() + eps);
            if mode == Mode::AdamW {
                u = u + decay;
            }
            let new = p - u * lr;
            m.at(t).store(a.cast::<T>());
            v.at(t).store(b.cast::<T>());
            var.at(t).store(new.cast::<T>());
            s.at(t).store((s.at(t).load().wide() * ema_decay + new * (1.0 - ema_decay)).cast::<T>());
        }
    }
}
