use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let at = |i: usize| of["x"][i * of.size("incx")].abs();
    let best = (0..of.size("n")).reduce(|best, i| if at(i) > at(best) { i } else { best });
    due("result", vec![best.map_or(0.0, |i| (i + 1) as f64)])
}
