use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    due("y", of["x"].repeat(of.size("copies")))
}
