use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (lr, alpha, eps) = (of.number("lr"), of.number("alpha"), of.number("eps"));
    let v = of.zip(("v", "grad"), |v, g| alpha * v + (1.0 - alpha) * g * g);
    let step = of["grad"].iter().zip(&v).map(|(g, v)| lr * g / (v.sqrt() + eps));
    let (param, size) = unzip(of["param"].iter().zip(step).map(|(p, s)| (p - s, p.abs() + s.abs())));
    due("v", v).and_of("param", param, size)
}
