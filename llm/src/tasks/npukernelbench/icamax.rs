use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let at = |i: usize| of["x"][2 * i * of.size("incx")].abs() + of["x"][2 * i * of.size("incx") + 1].abs();
    let n = of.size("n");
    let best = (0..n).reduce(|best, i| if at(i) > at(best) { i } else { best });
    due("result", vec![best.map_or(0.0, |i| (i + 1) as f64)])
}
