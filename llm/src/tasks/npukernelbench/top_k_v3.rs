use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (m, k, b) = (of.size("m"), of.size("k"), of.size("b"));
    let sign = if of.number("largest") == 1.0 { 1.0 } else { -1.0 };
    let (mut values, mut indices) = (Vec::new(), Vec::new());
    let line = |i: usize| (0..m).map(move |j| (i / b * m + j) * b + i % b).map(|at| of["x"][at]).collect::<Vec<f64>>();
    for i in 0..of.size("a") * b {
        let row = line(i);
        let mut order: Vec<usize> = (0..m).collect();
        // `total_cmp` in a stable sort keeps the first of equal elements first.
        order.sort_by(|a, b| (sign * row[*b]).total_cmp(&(sign * row[*a])));
        values.extend(order[..k].iter().map(|at| row[*at]));
        indices.extend(order[..k].iter().map(|at| *at as f64));
    }
    // The outputs have the axes a, k, b, so consecutive places of a line are `b` elements apart.
    let turned = |all: &[f64]| (0..all.len()).map(|at| all[(at / (k * b) * b + at % b) * k + at / b % k]).collect::<Vec<f64>>();
    due("values", turned(&values)).and("indices", turned(&indices))
}
