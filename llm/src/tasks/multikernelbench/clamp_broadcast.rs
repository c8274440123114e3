use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let one = |(i, x): (usize, &f64)| x.max(of["low"][i % d]).min(of["high"][i % d]);
    due("y", of["x"].iter().enumerate().map(one).collect())
}
