use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let m = of["x2"].len();
    let one = |(i, x): (usize, &f64)| {
        let s = 1.0 / (1.0 + (-of.number("t1") * x).exp());
        (if s < of.number("t2") { s } else { 2.0 * s }) * of["x2"][i % m] * of.number("t3")
    };
    due("y", of["x1"].iter().enumerate().map(one).collect())
}
