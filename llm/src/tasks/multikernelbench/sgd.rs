use crate::tasks::reference::*;
use jumar::prelude::kernels;

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

pub fn reference(of: &Given) -> Due {
    let (momentum, lr) = (of.number("momentum"), of.number("lr"));
    let u = of.zip(("velocity", "grad"), |u, g| (momentum * u + g, momentum * u.abs() + g.abs()));
    let one = |(p, (u, size)): (&f64, &(f64, f64))| (p - lr * u, p.abs() + lr * size);
    let (param, size) = unzip(of["param"].iter().zip(&u).map(one));
    let (velocity, sizes) = unzip(u);
    due_of("velocity", velocity, sizes).and_of("param", param, size)
}
