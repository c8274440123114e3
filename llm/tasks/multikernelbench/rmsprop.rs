#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn rmsprop(
        #[inplace] param: &mut GlobalTensor<f32>,
        grad: &GlobalTensor<f32>,
        #[inplace] v: &mut GlobalTensor<f32>,
        lr: f32,
        alpha: f32,
        eps: f32,
    ) {
        for t in tiles(grad) {
            let g = grad.at(t).load();
            let new = v.at(t).load() * alpha + g * g * (1.0 - alpha);
            v.at(t).store(new);
            param.at(t).store(param.at(t).load() - g / (new.sqrt() + eps) * lr);
        }
    }
}
