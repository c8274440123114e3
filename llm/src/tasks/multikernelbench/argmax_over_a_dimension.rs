use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (m, d) = (of.size("m"), of.size("d"));
    let one = |i: usize| {
        let at = |j: usize| of["x"][i / d * m * d + j * d + i % d];
        let above = |a: f64, b: f64| a > b || a.is_nan() && !b.is_nan();
        (1..m).fold(0, |best, j| if above(at(j), at(best)) { j } else { best }) as f64
    };
    due("y", (0..of.size("n") * d).map(one).collect())
}
