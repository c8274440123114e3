use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (d, k) = (of.size("d"), of.size("k"));
    let (mut y, mut size) = (of["x"].to_vec(), of.map("x", f64::abs));
    for (i, (at, v)) in of["idx"].iter().zip(&of["updates"]).enumerate() {
        let to = i / k * d + *at as usize;
        y[to] += v;
        size[to] += v.abs();
    }
    due_of("y", y, size)
}
