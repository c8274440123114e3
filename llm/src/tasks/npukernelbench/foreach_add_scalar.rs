use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let s = of["scalar"][0];
    due("ys", of.map("xs", |v| v + s))
}
