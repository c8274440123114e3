use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (momentum, lr) = (of.number("momentum"), of.number("lr"));
    let u = of.zip(("velocity", "grad"), |u, g| (momentum * u + g, momentum * u.abs() + g.abs()));
    let one = |(p, (u, size)): (&f64, &(f64, f64))| (p - lr * u, p.abs() + lr * size);
    let (param, size) = unzip(of["param"].iter().zip(&u).map(one));
    let (velocity, sizes) = unzip(u);
    due_of("velocity", velocity, sizes).and_of("param", param, size)
}
