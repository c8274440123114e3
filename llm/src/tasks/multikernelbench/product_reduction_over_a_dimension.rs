use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (m, d) = (of.size("m"), of.size("d"));
    let one = |i: usize| (0..m).map(|j| of["x"][(i / d * m + j) * d + i % d]).product();
    due("y", (0..of.size("n") * d).map(one).collect())
}
