use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    due("y", of.zip(("x1", "x2"), |a, b| f64::from(a <= b)))
}
