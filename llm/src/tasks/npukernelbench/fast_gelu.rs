use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    due("y", of.map("x", |x| x * (0.851 * (x - x.abs())).exp() / (1.0 + (-1.702 * x.abs()).exp())))
}
