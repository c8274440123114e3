use crate::tasks::reference::*;
use jumar::prelude::kernels;

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

pub fn reference(of: &Given) -> Due {
    let (lr, alpha, eps) = (of.number("lr"), of.number("alpha"), of.number("eps"));
    let v = of.zip(("v", "grad"), |v, g| alpha * v + (1.0 - alpha) * g * g);
    let step = of["grad"].iter().zip(&v).map(|(g, v)| lr * g / (v.sqrt() + eps));
    let (param, size) = unzip(of["param"].iter().zip(step).map(|(p, s)| (p - s, p.abs() + s.abs())));
    due("v", v).and_of("param", param, size)
}
