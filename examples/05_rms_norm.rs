//! A weight row, and a number that the host computes.
//!
//! `gamma` has the shape `[d]`: one row for all rows of `x`. Its load does not depend on the loop,
//! so it is done once on each core and not once for each tile. Arithmetic broadcasts it over the
//! rows.
//!
//! `1.0 / d as f32` depends on sizes only. The host tiling function computes it once. The division
//! by the root is a `Div`: `Rsqrt` is an approximation on Atlas A2 (lint J0901).
//!
//! Emitted text: `jumar emit examples/05_rms_norm.rs --out rms_norm` writes a field `invD` to
//! `rms_norm_tiling.h`. In `RmsNormKernelF32Resident`, `Process` copies gamma before its loop.
//!
//! Run: `cargo run -p jumar-examples --bin rms_norm`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// `y = x / sqrt(mean(x * x) + eps) * gamma` over each row.
#[kernel]
pub fn rms_norm<T: Float>(
    #[shape(n.., d)] x: &GlobalTensor<T>,
    #[shape(d)] gamma: &GlobalTensor<T>,
    y: &mut GlobalTensor<T>,
    #[default(1e-6)] eps: f32,
) {
    let inv_d = 1.0 / d as f32;
    for r in tiles(n) {
        let v = x.at(r, ..).load().cast::<f32>();
        let root = ((v * v).sum(d) * inv_d + eps).sqrt();
        let weight = gamma.at(..).load().cast::<f32>();
        y.at(r, ..).store((v / root * weight).cast::<T>());
    }
}

/// Computes the result with plain loops in f64.
fn reference(x: &[f64], gamma: &[f64], eps: f64) -> Vec<f64> {
    let mut y = Vec::with_capacity(x.len());
    for row in x.chunks(gamma.len().max(1)) {
        let root = (row.iter().map(|v| v * v).sum::<f64>() / gamma.len() as f64 + eps).sqrt();
        y.extend(row.iter().zip(gamma).map(|(v, g)| v / root * g));
    }
    y
}

fn run<T: Sample>(shape: &[usize], eps: f32) -> Result<(), Box<dyn Error>> {
    let d = shape[shape.len() - 1];
    let (x, gamma) = (
        random::<T>(shape, -3.0, 3.0, 5),
        random::<T>(&[d], 0.5, 1.5, 6),
    );
    let mut y = zeros::<T>(shape);
    rms_norm
        .bind()?
        .input("x", &x)
        .input("gamma", &gamma)
        .output("y", &mut y)
        .attr("eps", eps)
        .run()?;
    let want = reference(&wide(&x), &wide(&gamma), f64::from(eps));
    // Square, mean, eps, root, quotient and product round. The sum is a tree over a repeat of 64,
    // and one step for each repeat.
    let steps = 8.0 + 6.0 + (d / 64) as f64;
    Ok(compare(
        &format!("rms_norm {shape:?}"),
        &y,
        &want,
        Tolerance { steps, scale: 0.0 },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    for shape in [&[128, 4096][..], &[2, 3, 77], &[1, 1]] {
        run::<f16>(shape, 1e-6)?;
        run::<bf16>(shape, 1e-6)?;
        run::<f32>(shape, 1e-5)?;
    }
    Ok(())
}
