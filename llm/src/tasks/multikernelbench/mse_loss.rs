use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let each = of.zip(("predictions", "targets"), |p, t| (p - t) * (p - t));
    due("loss", vec![each.iter().sum::<f64>() / each.len() as f64])
}
