use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (m, d) = (of.size("m"), of.size("d"));
    due("y", of["a"].iter().enumerate().map(|(i, a)| a * of["b"][i / d % m]).collect())
}
