use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let sums: Vec<f64> = of.zip(("x", "residual"), |a, b| a + b);
    let kept: Vec<f64> = sums.iter().map(|v| rounded(*v, of.types[0])).collect();
    let normed = |row: &[f64]| {
        let pairs: Vec<(f64, f64)> = row.iter().map(|v| (*v, v.abs())).collect();
        let rstd = rstd(&pairs, of.number("epsilon"));
        row.iter().zip(&of["weight"]).map(move |(v, w)| v * rstd * w).collect::<Vec<_>>()
    };
    due("x", kept.chunks(d).flat_map(normed).collect()).and("residual", sums)
}
