use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let factor = if of.name("reduction") == "mean" { 2.0 / of["predict"].len() as f64 } else { 2.0 };
    due("y", of.zip(("predict", "label"), |p, l| p - l).iter().zip(&of["dout"]).map(|(e, g)| factor * e * g).collect())
}
