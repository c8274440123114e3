use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    due("y", of["x"].iter().enumerate().map(|(i, x)| x - of["bias"][i % d]).collect())
}
