use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (a, b, c) = (of["a"][0], of["b"][0], of["c"][0]);
    due_about("y", of.map("x", |x| b / (1.0 + (-a * x).exp()) + c), b.abs() + c.abs())
}
