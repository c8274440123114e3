use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let d = of.size("d");
    let (mut dx, mut sizes) = (Vec::new(), Vec::new());
    let mut all = [vec![0.0; d], vec![0.0; d], vec![0.0; d], vec![0.0; d]];
    for (r, (mean, rstd)) in of["mean"].iter().zip(&of["rstd"]).enumerate() {
        let dy = &of["dy"][r * d..][..d];
        let x = &of["x"][r * d..][..d];
        let h: Vec<(f64, f64)> = x.iter().map(|x| ((x - mean) * rstd, (x.abs() + mean.abs()) * rstd)).collect();
        let u: Vec<f64> = dy.iter().zip(&of["gamma"]).map(|(dy, gamma)| dy * gamma).collect();
        let mean_of = |f: &dyn Fn(usize) -> f64| (0..d).map(f).sum::<f64>() / d as f64;
        let (a, b) = (mean_of(&|j| u[j]), mean_of(&|j| u[j] * h[j].0));
        let (a_size, b_size) = (mean_of(&|j| u[j].abs()), mean_of(&|j| u[j].abs() * h[j].1));
        dx.extend(u.iter().zip(&h).map(|(u, h)| (u - a - h.0 * b) * rstd));
        sizes.extend(u.iter().zip(&h).map(|(u, h)| (u.abs() + a_size + h.1 * b_size) * rstd));
        for j in 0..d {
            let terms = [dy[j] * h[j].0, dy[j].abs() * h[j].1, dy[j], dy[j].abs()];
            all.iter_mut().zip(terms).for_each(|(sum, term)| sum[j] += term);
        }
    }
    let [dg, dg_size, db, db_size] = all;
    due_of("dx", dx, sizes).and_of("dgamma", dg, dg_size).and_of("dbeta", db, db_size)
}
