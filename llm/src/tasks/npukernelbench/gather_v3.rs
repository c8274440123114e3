use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (m, b, k) = (of.size("m"), of.size("b"), of.size("k"));
    let one = |i: usize| of["x"][(i / (k * b) * m + (of["indices"][i / b % k] + m as f64) as usize % m) * b + i % b];
    due("y", (0..of.size("a") * k * b).map(one).collect())
}
