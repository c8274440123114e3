//! Online softmax: a loop over the columns of a row, written by hand.
//!
//! `for c in tiles(d)` goes through the columns of a tile of rows, so rows may be longer than UB.
//! The first loop keeps a running maximum and a running sum for each row, in `let mut` variables
//! that live across iterations. Where the maximum grows, the sum is rescaled. The second loop reads
//! the row again and writes the result. That makes two reads and one write of GM; without rescaling
//! a third read is needed.
//!
//! Emitted text: `jumar emit examples/12_softmax_online.rs --out softmax_online` writes two loops
//! over columns. They are nearly those of `SoftmaxKernelF32Streamed`, which the compiler makes of
//! `04_softmax.rs`.
//!
//! Run: `cargo run -p jumar-examples --bin softmax_online`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// `y[i, :] = exp(x[i, :] - max) / sum` over each row, any row length.
#[kernel]
pub fn softmax_online<T: Float>(#[shape(n.., d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for r in tiles(n) {
        let mut max = full::<f32>(r, f32::NEG_INFINITY);
        let mut sum = full::<f32>(r, 0.0);
        for c in tiles(d) {
            let v = x.at(r, c).load().cast::<f32>();
            let larger = max.max(v.amax(c));
            sum = sum * (max - larger).exp() + (v - larger).exp().sum(c);
            max = larger;
        }
        for c in tiles(d) {
            let v = x.at(r, c).load().cast::<f32>();
            y.at(r, c).store(((v - max).exp() / sum).cast::<T>());
        }
    }
}

/// Computes the result in two plain passes in f64.
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
    let x = random::<T>(shape, -6.0, 6.0, 4);
    let mut y = zeros::<T>(shape);
    softmax_online
        .bind()?
        .input("x", &x)
        .output("y", &mut y)
        .run()?;
    let d = shape[shape.len() - 1];
    // As in `04_softmax.rs`, and a rescaling of the sum for every column tile.
    let steps = 12.0 + 4.0 + 6.0 + (d / 64) as f64 + 16.0;
    Ok(compare(
        &format!("softmax_online {shape:?}"),
        &y,
        &reference(&wide(&x), d),
        Tolerance { steps, scale: 0.0 },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    for shape in [&[96, 1000][..], &[4, 12, 33], &[1, 8], &[3, 100_000]] {
        run::<f16>(shape)?;
        run::<bf16>(shape)?;
        run::<f32>(shape)?;
    }
    Ok(())
}
