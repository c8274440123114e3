//! Two dependent reductions of a row, without cancellation.
//!
//! The variance is the mean square of centred values. The shorter form `mean(x * x) - mean * mean`
//! subtracts two nearly equal numbers, and loses all digits where the mean is large against the
//! spread. Below, rows around 100 show that this form keeps them.
//!
//! Emitted text: `jumar emit examples/06_layer_norm.rs --explain` says that the streamed variant
//! finds the sum of squares beside the mean, in one pass. With `--out layer_norm`,
//! `LayerNormKernelF32Resident` has `SubRowsColumns` between its two sums.
//!
//! Run: `cargo run -p jumar-examples --bin layer_norm`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// `y = (x - mean) / sqrt(variance + eps) * gamma + beta` over each row.
#[kernel]
pub fn layer_norm<T: Float>(
    #[shape(n.., d)] x: &GlobalTensor<T>,
    #[shape(d)] gamma: &GlobalTensor<T>,
    #[shape(d)] beta: &GlobalTensor<T>,
    y: &mut GlobalTensor<T>,
    #[default(1e-5)] eps: f32,
) {
    let inv_d = 1.0 / d as f32;
    for r in tiles(n) {
        let v = x.at(r, ..).load().cast::<f32>();
        let centred = v - v.sum(d) * inv_d;
        let variance = (centred * centred).sum(d) * inv_d;
        let normed = centred / (variance + eps).sqrt();
        let scaled = normed * gamma.at(..).load().cast::<f32>() + beta.at(..).load().cast::<f32>();
        y.at(r, ..).store(scaled.cast::<T>());
    }
}

/// Computes the result with plain loops in f64.
fn reference(x: &[f64], gamma: &[f64], beta: &[f64], eps: f64) -> Vec<f64> {
    let d = gamma.len() as f64;
    let mut y = Vec::with_capacity(x.len());
    for row in x.chunks(gamma.len().max(1)) {
        let mean = row.iter().sum::<f64>() / d;
        let variance = row.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / d;
        let root = (variance + eps).sqrt();
        y.extend(
            row.iter()
                .zip(gamma)
                .zip(beta)
                .map(|((v, g), b)| (v - mean) / root * g + b),
        );
    }
    y
}

fn run<T: Sample>(shape: &[usize], low: f64, high: f64) -> Result<(), Box<dyn Error>> {
    let d = shape[shape.len() - 1];
    let x = random::<T>(shape, low, high, 7);
    let (gamma, beta) = (
        random::<T>(&[d], 0.5, 1.5, 8),
        random::<T>(&[d], -0.5, 0.5, 9),
    );
    let mut y = zeros::<T>(shape);
    layer_norm
        .bind()?
        .input("x", &x)
        .input("gamma", &gamma)
        .input("beta", &beta)
        .output("y", &mut y)
        .run()?;
    let want = reference(&wide(&x), &wide(&gamma), &wide(&beta), 1e-5);
    // The mean carries the roundings of a sum: a tree over a repeat of 64, and one step for each
    // repeat. They are relative to the largest input, and the spread of the rows divides them.
    let steps = 10.0 + 6.0 + (d / 64) as f64;
    let scale = 3.0 * low.abs().max(high.abs()) / ((high - low) / 12f64.sqrt());
    Ok(compare(
        &format!("layer_norm {shape:?} in {low}..{high}"),
        &y,
        &want,
        Tolerance { steps, scale },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    for shape in [&[128, 4096][..], &[2, 3, 77]] {
        run::<f16>(shape, -3.0, 3.0)?;
        run::<bf16>(shape, -3.0, 3.0)?;
        run::<f32>(shape, -3.0, 3.0)?;
        run::<f32>(shape, 97.0, 103.0)?;
    }
    Ok(())
}
