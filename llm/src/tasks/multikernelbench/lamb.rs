use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (lr, eps) = (of.number("lr"), of.number("eps"));
    let step = of.zip(("m", "v"), |m, v| m / (v.sqrt() + eps));
    let norm = |x: &[f64]| x.iter().map(|v| v * v).sum::<f64>().sqrt();
    let trust = lr * norm(&of["param"]) / (norm(&step) + eps);
    let one = |(p, s): (&f64, &f64)| (p - trust * s, p.abs() + trust * s.abs());
    let (param, size) = unzip(of["param"].iter().zip(&step).map(one));
    due_of("param", param, size)
}
