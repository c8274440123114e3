use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let rows = of["predictions"].chunks(of.size("d")).zip(of["targets"].chunks(of.size("d")));
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let each = rows.map(|(p, t)| 1.0 - dot(p, t) / (dot(p, p) * dot(t, t)).sqrt());
    due_about("loss", vec![each.sum::<f64>() / of.size("n") as f64], 1.0)
}
