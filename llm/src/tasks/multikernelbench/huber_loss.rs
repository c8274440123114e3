use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let each = of.zip(("predictions", "targets"), |p, t| match (p - t).abs() {
        e if e < 1.0 => e * e / 2.0,
        e => e - 0.5,
    });
    due("loss", vec![each.iter().sum::<f64>() / each.len() as f64])
}
