use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let taken: Vec<f64> = of["x"].iter().zip(&of["mask"]).filter(|(_, m)| **m != 0.0).map(|(x, _)| *x).collect();
    let y = taken.iter().chain(&of["y"][taken.len()..]).copied().collect();
    due("y", y).and("count", vec![taken.len() as f64])
}
