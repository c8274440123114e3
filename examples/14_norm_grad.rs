//! A cross-core reduction with an axis: sums over rows that the cores divide.
//!
//! `11_column_sums.rs` divides the columns, so few columns keep few cores busy. Here each core adds
//! up its own rows in a row of sums in UB. Behind the loop the rows of all cores are merged:
//! `across_cores` with the axis `d`. A second variant cuts the columns where a row of sums does not
//! fit in UB.
//!
//! Emitted text: `jumar emit examples/14_norm_grad.rs --explain` shows five phases with two
//! barriers. One loop over columns merges each accumulator, and these loops are divided among the
//! cores, too.
//!
//! Run: `cargo run -p jumar-examples --bin norm_grad`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// `dgamma = sum of dy * (x - mean) * rstd`, `dbeta = sum of dy`, each over all rows.
#[kernel]
pub fn norm_grad<T: Float>(
    #[shape(n.., d)] x: &GlobalTensor<T>,
    #[shape(n.., d)] dy: &GlobalTensor<T>,
    #[shape(n..)] mean: &GlobalTensor<f32>,
    #[shape(n..)] rstd: &GlobalTensor<f32>,
    #[shape(d)] dgamma: &mut GlobalTensor<T>,
    #[shape(d)] dbeta: &mut GlobalTensor<T>,
) {
    let mut dg = across_cores::<f32>(d, 0.0);
    let mut db = across_cores::<f32>(d, 0.0);
    for r in tiles(n) {
        let g = dy.at(r, ..).load().cast::<f32>();
        let normed = (x.at(r, ..).load().cast::<f32>() - mean.at(r).load()) * rstd.at(r).load();
        dg += (g * normed).sum(r);
        db += g.sum(r);
    }
    dgamma.at(..).store(dg.cast::<T>());
    dbeta.at(..).store(db.cast::<T>());
}

/// Computes the result with plain loops in f64.
fn reference(x: &[f64], dy: &[f64], of_rows: [&[f64]; 2], d: usize) -> [Vec<f64>; 2] {
    let [mean, rstd] = of_rows;
    let mut sums = [vec![0.0; d], vec![0.0; d]];
    for (at, (x, g)) in x.iter().zip(dy).enumerate() {
        sums[0][at % d] += g * (x - mean[at / d]) * rstd[at / d];
        sums[1][at % d] += g;
    }
    sums
}

fn run<T: Sample>(rows: &[usize], d: usize) -> Result<(), Box<dyn Error>> {
    let shape = [rows, &[d]].concat();
    let (x, dy) = (
        random::<T>(&shape, -2.0, 2.0, 41),
        random::<T>(&shape, -1.0, 1.0, 42),
    );
    let (mean, rstd) = (
        random::<f32>(rows, -0.5, 0.5, 43),
        random::<f32>(rows, 0.5, 2.0, 44),
    );
    let [mut dgamma, mut dbeta] = [zeros::<T>(&[d]), zeros::<T>(&[d])];
    let launch = norm_grad
        .bind()?
        .input("x", &x)
        .input("dy", &dy)
        .input("mean", &mean)
        .input("rstd", &rstd);
    let report = launch
        .output("dgamma", &mut dgamma)
        .output("dbeta", &mut dbeta)
        .run()?;
    let [want_g, want_b] = reference(&wide(&x), &wide(&dy), [&wide(&mean), &wide(&rstd)], d);
    // A term rounds three times, and each addition once: over the rows of a core, then over the
    // cores. No term exceeds 5.
    let all: usize = rows.iter().product();
    let steps = 3.0 + all as f64;
    let what = |name| format!("norm_grad {shape:?}, {name}, on {} blocks", report.blocks);
    compare(
        &what("dgamma"),
        &dgamma,
        &want_g,
        Tolerance { steps, scale: 5.0 },
    )?;
    Ok(compare(
        &what("dbeta"),
        &dbeta,
        &want_b,
        Tolerance { steps, scale: 1.0 },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // More rows than cores, one row, one element, rows that end inside a data block, long rows.
    for (rows, d) in [
        (&[6, 50][..], 768),
        (&[1], 77),
        (&[49], 1),
        (&[1], 1),
        (&[20], 4099),
        (&[7], 20_011),
    ] {
        run::<f16>(rows, d)?;
        run::<bf16>(rows, d)?;
        run::<f32>(rows, d)?;
    }
    Ok(())
}
