use crate::tasks::reference::*;
use jumar::prelude::kernels;

#[kernels]
pub mod answer {
    use jumar::prelude::*;

    #[kernel]
    pub fn group_norm_swish_grad<T: Float>(
        #[shape(n, c, p..)] dy: &GlobalTensor<T>,
        #[shape(n, g)] mean: &GlobalTensor<f32>,
        #[shape(n, g)] rstd: &GlobalTensor<f32>,
        #[shape(n, c, p..)] x: &GlobalTensor<T>,
        #[shape(c)] gamma: &GlobalTensor<T>,
        #[shape(c)] beta: &GlobalTensor<T>,
        #[shape(n, c, p..)] dx: &mut GlobalTensor<T>,
        #[shape(c)] dgamma: Option<&mut GlobalTensor<f32>>,
        #[shape(c)] dbeta: Option<&mut GlobalTensor<f32>>,
        swish_scale: f32,
    ) {
        let k = new_axis(c / g);
        let (x, dy, dx) = (x.view((n, g, k, p)), dy.view((n, g, k, p)), dx.view((n, g, k, p)));
        let (gamma, beta) = (gamma.view((g, k)), beta.view((g, k)));
        let (dgs, dbs) = (workspace::<f32>((n, g, k)), workspace::<f32>((n, g, k)));
        for (q, i) in tiles((each(n), each(g))) {
            let s = rstd.at(q, i).load();
            let h = (x.at(q, i, .., ..).load().wide() - mean.at(q, i).load()) * s;
            let scale = gamma.at(i, ..).load().wide();
            let u = h * scale + beta.at(i, ..).load().wide();
            let gate = (u * swish_scale).sigmoid();
            let du = dy.at(q, i, .., ..).load().wide() * (gate + u * swish_scale * gate * (1.0 - gate));
            if dbeta.is_some() {
                dbs.at(q, i, ..).store(du.sum(p));
            }
            if dgamma.is_some() {
                dgs.at(q, i, ..).store((du * h).sum(p));
            }
            let v = du * scale;
            let (a, b) = (v.mean((k, p)), (v * h).mean((k, p)));
            dx.at(q, i, .., ..).store(((v - a - h * b) * s).cast::<T>());
        }
        let (dgs, dbs) = (dgs.view((n, c)), dbs.view((n, c)));
        for t in tiles(c) {
            if let Some(dgamma) = dgamma {
                dgamma.at(t).store(dgs.at(.., t).load().sum(n));
            }
            if let Some(dbeta) = dbeta {
                dbeta.at(t).store(dbs.at(.., t).load().sum(n));
            }
        }
    }
}

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
