use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    due("y", of["x"].iter().enumerate().map(|(i, x)| if i % d < d / 2 { *x } else { -x }).collect())
}
