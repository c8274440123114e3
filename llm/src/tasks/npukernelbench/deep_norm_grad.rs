use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (d, alpha) = (of.size("d"), of.number("alpha"));
    let (mut dgx, mut sizes) = (Vec::new(), Vec::new());
    let mut sums = [vec![0.0; d], vec![0.0; d], vec![0.0; d], vec![0.0; d]];
    for (r, dy) in of["dy"].chunks(d).enumerate() {
        let (mean, rstd) = (of["mean"][r], of["rstd"][r]);
        let s = |j: usize| (alpha * of["x"][r * d + j], of["gx"][r * d + j]);
        let h: Vec<f64> = (0..d).map(|j| (s(j).0 + s(j).1 - mean) * rstd).collect();
        let about: Vec<f64> = (0..d).map(|j| (s(j).0.abs() + s(j).1.abs() + mean.abs()) * rstd).collect();
        let u: Vec<f64> = (0..d).map(|j| dy[j] * of["gamma"][j]).collect();
        let mean_of = |f: &dyn Fn(usize) -> f64| (0..d).map(f).sum::<f64>() / d as f64;
        let (a, b) = (mean_of(&|j| u[j]), mean_of(&|j| u[j] * h[j]));
        let (c, e) = (mean_of(&|j| u[j].abs()), mean_of(&|j| u[j].abs() * about[j]));
        dgx.extend((0..d).map(|j| (u[j] - a - h[j] * b) * rstd));
        sizes.extend((0..d).map(|j| (u[j].abs() + c + about[j] * e) * rstd));
        for j in 0..d {
            let terms = [dy[j], dy[j].abs(), dy[j] * h[j], dy[j].abs() * about[j]];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| sum[j] += term);
        }
    }
    let [db, db_size, dg, dg_size] = sums;
    let by_alpha = |v: &[f64]| v.iter().map(|v| v * alpha).collect::<Vec<_>>();
    let dx = due_of("dx", by_alpha(&dgx), by_alpha(&sizes)).and_of("dgx", dgx, sizes);
    dx.and_of("dbeta", db, db_size).and_of("dgamma", dg, dg_size)
}
