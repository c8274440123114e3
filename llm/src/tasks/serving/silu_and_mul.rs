use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let row = |x: &[f64]| x[..d].iter().zip(&x[d..]).map(|(gate, up)| gate / (1.0 + (-gate).exp()) * up).collect::<Vec<_>>();
    due("y", of["x"].chunks(2 * d).flat_map(row).collect())
}
