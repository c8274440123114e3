use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let scale = (of.number("max_norm") / (of["norm"][0] + 1e-6)).min(1.0);
    due("xs", of.map("xs", |x| x * scale))
}
