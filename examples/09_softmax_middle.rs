//! Softmax along a middle axis: the lines of `04_softmax.rs` with another axis.
//!
//! Neighbours in memory belong to different sums here, so nothing is reduced within a row.
//! `v.amax(m)` and `e.sum(m)` are elementwise calls over whole rows. Their results have the axis
//! `t`, and arithmetic broadcasts them along `m`.
//!
//! Emitted text: `jumar emit examples/09_softmax_middle.rs --out softmax_middle` writes
//! `MaxOfMiddle` and `SubRowsRow` where `04_softmax.rs` has `MaxOfRows` and `SubRowsColumns`.
//!
//! Run: `cargo run -p jumar-examples --bin softmax_middle`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Normalises along the middle axis: `y[b, :, d] = exp(x[b, :, d] - max) / sum`.
#[kernel]
pub fn softmax_middle<T: Float>(#[shape(b.., m, d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for (i, t) in tiles((each(b), d)) {
        let v = x.at(i, .., t).load().cast::<f32>();
        let e = (v - v.amax(m)).exp();
        y.at(i, .., t).store((e / e.sum(m)).cast::<T>());
    }
}

/// Computes the result with plain loops in f64.
fn reference(x: &[f64], m: usize, d: usize) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for (batch, y) in x.chunks(m * d).zip(y.chunks_mut(m * d)) {
        for j in 0..d {
            let column = || batch.iter().skip(j).step_by(d);
            let max = column().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = column().map(|v| (v - max).exp()).sum();
            column()
                .zip(y.iter_mut().skip(j).step_by(d))
                .for_each(|(v, y)| *y = (v - max).exp() / sum);
        }
    }
    y
}

fn run<T: Sample>(shape: &[usize]) -> Result<(), Box<dyn Error>> {
    let [.., m, d] = *shape else {
        return Err("two axes at least".into());
    };
    let x = random::<T>(shape, -6.0, 6.0, 24);
    let mut y = zeros::<T>(shape);
    let report = softmax_middle
        .bind()?
        .input("x", &x)
        .output("y", &mut y)
        .run()?;
    // As in `04_softmax.rs`, with a sum by halves.
    let steps = 12.0 + 4.0 + 12.0;
    let what = format!("softmax_middle {shape:?} on {} blocks", report.blocks);
    Ok(compare(
        &what,
        &y,
        &reference(&wide(&x), m, d),
        Tolerance { steps, scale: 0.0 },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // Several axes of batches, columns that end inside a data block, one column, sums of one
    // element.
    for shape in [
        &[8, 100, 512][..],
        &[2, 3, 37, 70],
        &[5, 33, 1],
        &[1, 1, 100],
        &[700, 9],
    ] {
        run::<f16>(shape)?;
        run::<bf16>(shape)?;
        run::<f32>(shape)?;
    }
    Ok(())
}
