//! A loop inside a loop, and a variable that the inner one accumulates.
//!
//! `tiles(d)` divides the columns among the cores. Each core goes down its columns block by block,
//! and a row of running sums stays in UB. `x.at(j, t).load().sum(j)` reduces along the tile of the
//! inner loop. The size of that tile changes the order of the additions only, so floats may differ
//! in the last place.
//!
//! With `x.at(.., t)` in place of the inner loop, a tile has all rows: see `08_mean_middle.rs`.
//!
//! Emitted text: `jumar emit examples/11_column_sums.rs --out column_sums` writes a loop over
//! `jIndex` inside of the loop over tiles. `SumOfMiddleOnto` adds a block to `sumLocal`, which is
//! filled with zeros before.
//!
//! Run: `cargo run -p jumar-examples --bin column_sums`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Adds up each column: `y[j] = sum of x[:, j]`.
#[kernel]
pub fn column_sums<T: Float>(
    #[shape(m, d)] x: &GlobalTensor<T>,
    #[shape(d)] y: &mut GlobalTensor<T>,
) {
    for t in tiles(d) {
        let mut sum = full(t, 0.0);
        for j in tiles(m) {
            sum = sum + x.at(j, t).load().cast::<f32>().sum(j);
        }
        y.at(t).store(sum.cast::<T>());
    }
}

/// Computes the result with plain loops in f64.
fn reference(x: &[f64], d: usize) -> Vec<f64> {
    (0..d).map(|j| x.iter().skip(j).step_by(d).sum()).collect()
}

fn run<T: Sample>(m: usize, d: usize) -> Result<(), Box<dyn Error>> {
    let x = random::<T>(&[m, d], -1.0, 1.0, 12);
    let mut y = zeros::<T>(&[d]);
    let report = column_sums
        .bind()?
        .input("x", &x)
        .output("y", &mut y)
        .run()?;
    // No sum of a part of a column exceeds `m`. Each addition on an element's way to the result
    // rounds; those of a block are pairwise.
    let steps = 12.0 + (m / 32) as f64;
    let what = format!("column_sums {m}x{d} on {} blocks", report.blocks);
    Ok(compare(
        &what,
        &y,
        &reference(&wide(&x), d),
        Tolerance {
            steps,
            scale: m as f64,
        },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // More rows than a tile has, columns that end inside a data block, one column, one row.
    for (m, d) in [(4096, 1000), (333, 77), (10_000, 1), (1, 5000)] {
        run::<f16>(m, d)?;
        run::<bf16>(m, d)?;
        run::<f32>(m, d)?;
    }
    Ok(())
}
