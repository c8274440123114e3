use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let x: Vec<(f64, f64)> = of.zip(("x1", "x2"), |a, b| sums([a, b]));
    let rstd: Vec<f64> = x.chunks(d).map(|row| rstd(row, of.number("epsilon"))).collect();
    let (y, size) = unzip((0..x.len()).map(|i| {
        let scale = rstd[i / d] * of["gamma"][i % d];
        (x[i].0 * scale, x[i].1 * scale)
    }));
    due_of("x1", y, size).and("rstd", rstd).and_pairs("x2", x)
}
