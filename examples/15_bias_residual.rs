//! A view that joins axes.
//!
//! The rows `h` and columns `w` of a channel follow one another in memory, and this kernel treats
//! them alike. So `p`, a new axis as long as both together, stands for them. A row of 7 elements
//! would be a copy of its own that fills half a data block; joined, 49 elements are one.
//!
//! Emitted text: `jumar emit examples/15_bias_residual.rs --out bias_residual` writes copies with
//! `jLen` channels of `tLen` elements each. Views leave no trace but the sizes. `AddRowsColumns`
//! adds one bias to each channel.
//!
//! Run: `cargo run -p jumar-examples --bin bias_residual`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// `y = x + bias + residual`, the bias one number a channel.
#[kernel]
pub fn bias_residual<T: Float>(
    #[shape(b, c, h, w)] x: &GlobalTensor<T>,
    #[shape(c)] bias: &GlobalTensor<T>,
    #[shape(b, c, h, w)] residual: &GlobalTensor<T>,
    y: &mut GlobalTensor<T>,
) {
    let p = new_axis(h * w);
    let (x, residual, y) = (
        x.view((b, c, p)),
        residual.view((b, c, p)),
        y.view((b, c, p)),
    );
    for (i, j, t) in tiles((b, c, p)) {
        let biased = x.at(i, j, t).load().cast::<f32>() + bias.at(j).load().cast::<f32>();
        y.at(i, j, t)
            .store((biased + residual.at(i, j, t).load().cast::<f32>()).cast::<T>());
    }
}

/// Computes the result with plain loops in f64, over channels of `p` elements.
fn reference(x: &[f64], bias: &[f64], residual: &[f64], p: usize) -> Vec<f64> {
    let channels = x.chunks(p).zip(residual.chunks(p)).zip(bias.iter().cycle());
    channels
        .flat_map(|((x, residual), bias)| x.iter().zip(residual).map(move |(x, r)| x + bias + r))
        .collect()
}

fn run<T: Sample>([b, c, h, w]: [usize; 4]) -> Result<(), Box<dyn Error>> {
    let shape = [b, c, h, w];
    let (x, residual) = (
        random::<T>(&shape, -3.0, 3.0, 21),
        random::<T>(&shape, -3.0, 3.0, 22),
    );
    let bias = random::<T>(&[c], -1.0, 1.0, 23);
    let mut y = zeros::<T>(&shape);
    let launch = bias_residual
        .bind()?
        .input("x", &x)
        .input("bias", &bias)
        .input("residual", &residual);
    let report = launch.output("y", &mut y).run()?;
    let want = reference(&wide(&x), &wide(&bias), &wide(&residual), h * w);
    // Two additions of terms up to 4.
    let what = format!("bias_residual {shape:?} on {} blocks", report.blocks);
    Ok(compare(
        &what,
        &y,
        &want,
        Tolerance {
            steps: 2.0,
            scale: 4.0,
        },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    for shape in [
        [2, 16, 56, 56],
        [3, 40, 7, 7],
        [1, 1, 1, 100_003],
        [5, 3000, 1, 1],
    ] {
        run::<f16>(shape)?;
        run::<bf16>(shape)?;
        run::<f32>(shape)?;
    }
    Ok(())
}
