#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn sgd(
        #[inplace] param: &mut GlobalTensor<f32>,
        grad: &GlobalTensor<f32>,
        #[inplace] velocity: &mut GlobalTensor<f32>,
        momentum: f32,
        lr: f32,
    ) {
        for t in tiles(grad) {
            let u = velocity.at(t).load() * momentum + grad.at(t).load();
            velocity.at(t).store(u);
            param.at(t).store(param.at(t).load() - u * lr);
        }
    }
}
