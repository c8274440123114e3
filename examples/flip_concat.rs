//! Elements that only move: an axis from its end on, and two tensors behind one another.
//!
//! `d - 1 - t` goes through a row of `x` from its last element on; `y.at(n + r, t)` are the rows of `y` behind the first `n`. `r + 0` says that
//! the rows of another axis than the tile's own are meant: `nm` is as long as both together.
//!
//! Run with `cargo run --release --example flip_concat`.

mod common;

use common::{compare, random, wide, zeros, Sample, Tolerance};
use jumar::prelude::*;
use std::error::Error;

/// Each row from its last element on.
#[kernel]
pub fn flip<T: Number>(#[shape(n.., d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for (r, t) in tiles((n, d)) {
        y.at(r, t).store(x.at(r, d - 1 - t).load());
    }
}

/// The rows of `a`, and behind them those of `b`.
#[kernel]
pub fn concat<T: Element>(
    #[shape(n, d)] a: &GlobalTensor<T>,
    #[shape(m, d)] b: &GlobalTensor<T>,
    #[shape(nm = n + m, d)] y: &mut GlobalTensor<T>,
) {
    for (r, t) in tiles((n, d)) {
        y.at(r + 0, t).store(a.at(r, t).load());
    }
    for (r, t) in tiles((m, d)) {
        y.at(n + r, t).store(b.at(r, t).load());
    }
}

fn run<T: Sample>(n: usize, m: usize, d: usize) -> Result<(), Box<dyn Error>> {
    let exact = Tolerance { steps: 0.0, scale: 1.0 };
    let (a, b) = (random::<T>(&[n, d], -3.0, 3.0, 1), random::<T>(&[m, d], -3.0, 3.0, 2));
    let mut y = zeros::<T>(&[n, d]);
    let report = flip.launch()?.input("x", &a).output("y", &mut y).run()?;
    let back: Vec<f64> = wide(&a).chunks(d).flat_map(|row| row.iter().rev().copied()).collect();
    compare(&format!("flip {:?} on {} blocks", a.shape(), report.blocks), &y, &back, exact)?;
    let mut y = zeros::<T>(&[n + m, d]);
    let report = concat.launch()?.input("a", &a).input("b", &b).output("y", &mut y).run()?;
    let both: Vec<f64> = wide(&a).into_iter().chain(wide(&b)).collect();
    Ok(compare(&format!("concat {:?} and {m} rows on {} blocks", a.shape(), report.blocks), &y, &both, exact)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    for (n, m, d) in [(5, 3, 70), (1, 1, 1), (300, 7, 33), (2, 40, 4096), (3, 200, 8)] {
        run::<f16>(n, m, d)?;
        run::<bf16>(n, m, d)?;
        run::<f32>(n, m, d)?;
    }
    Ok(())
}
