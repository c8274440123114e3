//! A row kernel: reductions along the last axis.
//!
//! `#[shape(n.., d)]` names the axes: `d` is the last one, and `n..` stands for any number before
//! it. `tiles(n)` divides the rows among the cores, and then into tiles of several whole rows.
//! `v.amax(d)` leaves one value for each row, and arithmetic broadcasts it along `d`. So the body
//! reads like the formula.
//!
//! Rows are padded in UB to whole data blocks. No reduction and no store reads the padding, so `d`
//! may be any number. A second variant streams rows that are too long for UB; the host chooses.
//!
//! Emitted text: `jumar emit examples/04_softmax.rs --out softmax` writes two classes for f32.
//! `SoftmaxKernelF32Resident` has all rows of a tile in each call: `MaxOfRows`, `SubRowsColumns`,
//! `Exp`, `SumOfRows`. `SoftmaxKernelF32Streamed` loops over the columns twice.
//!
//! Run: `cargo run -p jumar-examples --bin softmax`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// `y[i, :] = exp(x[i, :] - max) / sum` over each row.
#[kernel]
pub fn softmax<T: Float>(#[shape(n.., d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for r in tiles(n) {
        let v = x.at(r, ..).load().cast::<f32>();
        let e = (v - v.amax(d)).exp();
        y.at(r, ..).store((e / e.sum(d)).cast::<T>());
    }
}

/// Computes the result with plain loops in f64.
fn reference(x: &[f64], d: usize) -> Vec<f64> {
    let mut y = Vec::with_capacity(x.len());
    for row in x.chunks(d.max(1)) {
        let max = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = row.iter().map(|v| (v - max).exp()).sum();
        y.extend(row.iter().map(|v| (v - max).exp() / sum));
    }
    y
}

fn run<T: Sample>(shape: &[usize]) -> Result<(), Box<dyn Error>> {
    let x = random::<T>(shape, -6.0, 6.0, 3);
    let mut y = zeros::<T>(shape);
    let report = softmax.bind()?.input("x", &x).output("y", &mut y).run()?;
    let d = shape[shape.len() - 1];
    // The exponent is a rounded difference of up to 12, which counts 12 times; exp and division
    // follow. The sum is a tree of depth 6 over a repeat of 64, and one step for each repeat.
    let steps = 12.0 + 4.0 + 6.0 + (d / 64) as f64;
    let what = format!("softmax {shape:?} on {} blocks", report.blocks);
    Ok(compare(
        &what,
        &y,
        &reference(&wide(&x), d),
        Tolerance { steps, scale: 0.0 },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Padding in every row, several axes, one row, and rows that do not fit in UB.
    for shape in [&[96, 1000][..], &[4, 12, 33], &[1, 8], &[3, 100_000]] {
        run::<f16>(shape)?;
        run::<bf16>(shape)?;
        run::<f32>(shape)?;
    }
    Ok(())
}
