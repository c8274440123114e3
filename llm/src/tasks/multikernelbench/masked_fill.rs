use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    due("y", of.zip(("x", "mask"), |x, m| if m != 0.0 { f64::NEG_INFINITY } else { x }))
}
