use crate::tasks::reference::*;

pub fn reference(of: &Given) -> Due {
    let (c, g, p, scale) = (of.size("c"), of.size("g"), of.size("p"), of.number("swish_scale"));
    let group = c / g * p;
    let (mut dx, mut sizes) = (Vec::new(), Vec::new());
    let mut sums = [vec![0.0; c], vec![0.0; c], vec![0.0; c], vec![0.0; c]];
    for first in (0..of["x"].len()).step_by(group) {
        let (mean, rstd) = (of["mean"][first / group], of["rstd"][first / group]);
        let each: Vec<[f64; 4]> = (first..first + group)
            .map(|i| {
                let (gamma, beta) = (of["gamma"][i / p % c], of["beta"][i / p % c]);
                let (h, about) = ((of["x"][i] - mean) * rstd, (of["x"][i].abs() + mean.abs()) * rstd);
                let u = h * gamma + beta;
                let gate = 1.0 / (1.0 + (-scale * u).exp());
                let du = of["dy"][i] * (gate + u * scale * gate * (1.0 - gate));
                let size = of["dy"][i].abs() * (1.0 + about * gamma + beta.abs());
                for (sum, term) in sums.iter_mut().zip([du, size, du * h, size * (1.0 + about)]) {
                    sum[i / p % c] += term;
                }
                [h, about, du * gamma, size * gamma]
            })
            .collect();
        let mean_of = |f: &dyn Fn(&[f64; 4]) -> f64| each.iter().map(f).sum::<f64>() / group as f64;
        let (a, b) = (mean_of(&|e| e[2]), mean_of(&|e| e[2] * e[0]));
        let (a_size, b_size) = (mean_of(&|e| e[3]), mean_of(&|e| e[3] * (1.0 + e[1])));
        dx.extend(each.iter().map(|e| (e[2] - a - e[0] * b) * rstd));
        sizes.extend(each.iter().map(|e| (e[3] + a_size + e[1] * b_size) * rstd));
    }
    let [db, db_size, dg, dg_size] = sums;
    due_of("dx", dx, sizes).and_of("dbeta", db, db_size).and_of("dgamma", dg, dg_size)
}
