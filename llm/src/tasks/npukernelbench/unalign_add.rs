use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    due("z", of.zip(("x", "y"), |x, y| x + y))
}
