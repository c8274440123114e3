#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn lamb(#[inplace] param: &mut GlobalTensor<f32>, m: &GlobalTensor<f32>, v: &GlobalTensor<f32>, lr: f32, eps: f32) {
        let mut of_param = across_cores::<f32>((), 0.0);
        let mut of_step = across_cores::<f32>((), 0.0);
        for t in tiles(m) {
            of_param += param.at(t).load().square().sum(t);
            of_step += (m.at(t).load() / (v.at(t).load().sqrt() + eps)).square().sum(t);
        }
        let trust = of_param.sqrt() / (of_step.sqrt() + eps) * lr;
        for t in tiles(m) {
            let step = m.at(t).load() / (v.at(t).load().sqrt() + eps);
            param.at(t).store(param.at(t).load() - step * trust);
        }
    }
}
