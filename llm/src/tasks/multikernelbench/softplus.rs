use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    due_about("y", of.map("x", |x| x.max(0.0) + libm::log1p((-x.abs()).exp())), 1.0)
}
