use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    due_about("y", of.map("x", f64::tanh), 1.0)
}
