use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    due("y", of.map("x", |x| x / (1.0 + (-of.number("scale") * x).exp())))
}
