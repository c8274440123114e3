use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let p = of.number("p");
    let scale = if p < 1.0 { 1.0 / (1.0 - p) } else { 0.0 };
    due("dx", of.zip(("dy", "keep"), |dy, keep| if keep != 0.0 { dy * scale } else { 0.0 }))
}
