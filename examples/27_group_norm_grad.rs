//! Workspaces: partial results of one loop for the next one.
//!
//! This is the backward pass of a group norm. The first loop goes through the groups of all
//! samples: it writes `dx`, and for each channel of a sample two sums over its positions. A second
//! loop adds up the sums of all samples. `workspace::<f32>((n, g, k))` is a tensor in GM for the
//! kernel alone, and a view joins two of its axes.
//!
//! Emitted text: `jumar emit examples/27_group_norm_grad.rs --explain` shows that the second loop
//! loads `dbs` behind a barrier. With `--out group_norm_grad`, `dbsGm_` and `dgsGm_` are parts of
//! the workspace.
//!
//! Run: `cargo run -p jumar-examples --bin group_norm_grad`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Computes the gradients of `(x - mean) * rstd * gamma + beta`, with statistics of each group.
#[kernel]
pub fn group_norm_grad<T: Float>(
    #[shape(n, c, p..)] dy: &GlobalTensor<T>,
    #[shape(n, c, p..)] x: &GlobalTensor<T>,
    #[shape(n, g)] mean: &GlobalTensor<f32>,
    #[shape(n, g)] rstd: &GlobalTensor<f32>,
    #[shape(c)] gamma: &GlobalTensor<T>,
    #[shape(n, c, p..)] dx: &mut GlobalTensor<T>,
    #[shape(c)] dgamma: &mut GlobalTensor<f32>,
    #[shape(c)] dbeta: &mut GlobalTensor<f32>,
) {
    let k = new_axis(c / g);
    let (x, dy, dx) = (
        x.view((n, g, k, p)),
        dy.view((n, g, k, p)),
        dx.view((n, g, k, p)),
    );
    let gamma = gamma.view((g, k));
    let (dgs, dbs) = (workspace::<f32>((n, g, k)), workspace::<f32>((n, g, k)));
    for (q, i) in tiles((each(n), each(g))) {
        let r = rstd.at(q, i).load();
        let h = (x.at(q, i, .., ..).load().cast::<f32>() - mean.at(q, i).load()) * r;
        let dz = dy.at(q, i, .., ..).load().cast::<f32>();
        dbs.at(q, i, ..).store(dz.sum(p));
        dgs.at(q, i, ..).store((dz * h).sum(p));
        let dh = dz * gamma.at(i, ..).load().cast::<f32>();
        let (a, s) = (dh.mean((k, p)), (dh * h).mean((k, p)));
        dx.at(q, i, .., ..)
            .store(((dh - a - h * s) * r).cast::<T>());
    }
    let (dgs, dbs) = (dgs.view((n, c)), dbs.view((n, c)));
    for t in tiles(c) {
        dgamma.at(t).store(dgs.at(.., t).load().sum(n));
        dbeta.at(t).store(dbs.at(.., t).load().sum(n));
    }
}

/// The gradients in f64.
#[derive(Default)]
struct Gradients {
    dx: Vec<f64>,
    dgamma: Vec<f64>,
    dbeta: Vec<f64>,
}

/// Computes the gradients in f64, group by group.
fn reference([dy, x, mean, rstd, gamma]: [&[f64]; 5], [n, c, p, g]: [usize; 4]) -> Gradients {
    let k = c / g;
    let mut all = Gradients {
        dx: vec![0.0; n * c * p],
        dgamma: vec![0.0; c],
        dbeta: vec![0.0; c],
    };
    for group in 0..n * g {
        let (first, of) = (group * k * p, k * p);
        let channel = |e: usize| group % g * k + e / p;
        let h: Vec<f64> = x[first..first + of]
            .iter()
            .map(|v| (v - mean[group]) * rstd[group])
            .collect();
        let dz = &dy[first..first + of];
        let dh: Vec<f64> = dz
            .iter()
            .enumerate()
            .map(|(e, v)| v * gamma[channel(e)])
            .collect();
        let a = dh.iter().sum::<f64>() / of as f64;
        let s = dh.iter().zip(&h).map(|(d, h)| d * h).sum::<f64>() / of as f64;
        for e in 0..of {
            all.dx[first + e] = (dh[e] - a - h[e] * s) * rstd[group];
            all.dgamma[channel(e)] += dz[e] * h[e];
            all.dbeta[channel(e)] += dz[e];
        }
    }
    all
}

fn run<T: Sample>([n, c, p, g]: [usize; 4]) -> Result<(), Box<dyn Error>> {
    let (dy, x) = (
        random::<T>(&[n, c, p], -1.0, 1.0, 1),
        random::<T>(&[n, c, p], -2.0, 2.0, 2),
    );
    let (mean, rstd) = (
        random::<f32>(&[n, g], -0.5, 0.5, 3),
        random::<f32>(&[n, g], 0.5, 1.5, 4),
    );
    let gamma = random::<T>(&[c], 0.5, 1.5, 5);
    let (mut dx, mut dgamma, mut dbeta) = (
        zeros::<T>(&[n, c, p]),
        zeros::<f32>(&[c]),
        zeros::<f32>(&[c]),
    );
    let report = group_norm_grad
        .bind()?
        .input("dy", &dy)
        .input("x", &x)
        .input("mean", &mean)
        .input("rstd", &rstd)
        .input("gamma", &gamma)
        .output("dx", &mut dx)
        .output("dgamma", &mut dgamma)
        .output("dbeta", &mut dbeta)
        .run()?;
    let of = [
        &wide(&dy)[..],
        &wide(&x),
        &wide(&mean),
        &wide(&rstd),
        &wide(&gamma),
    ];
    let due = reference(of, [n, c, p, g]);
    let what = format!("{:?} in {g} groups on {} blocks", x.shape(), report.blocks);
    compare(
        &format!("dx {what}"),
        &dx,
        &due.dx,
        Tolerance {
            steps: 4.0,
            scale: 4.0,
        },
    )?;
    // Terms of a sum are at most 6; each addition rounds.
    let sums = Tolerance {
        steps: 4.0,
        scale: 6.0 * (n * p) as f64,
    };
    compare(&format!("dgamma {what}"), &dgamma, &due.dgamma, sums)?;
    Ok(compare(&format!("dbeta {what}"), &dbeta, &due.dbeta, sums)?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    for sizes in [
        [3, 6, 50, 2],
        [1, 1, 1, 1],
        [2, 16, 256, 4],
        [50, 4, 9, 2],
        [2, 32, 1024, 8],
    ] {
        run::<f16>(sizes)?;
        run::<bf16>(sizes)?;
        run::<f32>(sizes)?;
    }
    Ok(())
}
