use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let alpha = of.number("alpha");
    due_about("y", of.map("x", |x| if x > 0.0 { x } else { alpha * x.exp_m1() }), alpha)
}
