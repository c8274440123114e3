//! A loop over several axes, and a reduction along a middle one.
//!
//! One iteration of `tiles((each(b), d))` has one index of `b` and a range of `d`. All pairs are
//! divided among the cores, so one long batch keeps every core busy, too. `x.at(i, .., t)` has the
//! axes `m` and `t`: a column block of one batch, which one copy loads. Its sum along `m` adds
//! halves of the block to one another, elementwise.
//!
//! The range of `d` is as long as UB allows with all of `m`. Where that is less than a data block,
//! a second variant loops over `m`, as `11_column_sums.rs` does by hand.
//!
//! Emitted text: `jumar emit examples/08_mean_middle.rs --out mean_middle` writes `SumOfMiddle` for
//! the reduction. The loops over `i` and `tIndex` begin in the middle of a batch: a core's share is
//! a range of pairs.
//!
//! Run: `cargo run -p jumar-examples --bin mean_middle`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Takes the mean along a middle axis: `y[b, d] = sum of x[b, :, d] / m`.
#[kernel]
pub fn mean_middle<T: Float>(
    #[shape(b.., m, d)] x: &GlobalTensor<T>,
    #[shape(b.., d)] y: &mut GlobalTensor<T>,
) {
    for (i, t) in tiles((each(b), d)) {
        let sum = x.at(i, .., t).load().cast::<f32>().sum(m);
        y.at(i, t).store((sum * (1.0 / m as f32)).cast::<T>());
    }
}

/// Computes the result with plain loops in f64.
fn reference(x: &[f64], m: usize, d: usize) -> Vec<f64> {
    let mut y = Vec::new();
    for batch in x.chunks(m * d) {
        y.extend((0..d).map(|j| batch.iter().skip(j).step_by(d).sum::<f64>() / m as f64));
    }
    y
}

fn run<T: Sample>(batches: &[usize], m: usize, d: usize) -> Result<(), Box<dyn Error>> {
    let x = random::<T>(&[batches, &[m, d]].concat(), -3.0, 3.0, 11);
    let mut y = zeros::<T>(&[batches, &[d]].concat());
    let report = mean_middle
        .bind()?
        .input("x", &x)
        .output("y", &mut y)
        .run()?;
    // Halves are added to halves: the sum is as deep as `m` has bits. One factor follows.
    let steps = 2.0 + f64::from(usize::BITS - m.leading_zeros());
    let what = format!("mean_middle {:?} on {} blocks", x.shape(), report.blocks);
    Ok(compare(
        &what,
        &y,
        &reference(&wide(&x), m, d),
        Tolerance { steps, scale: 3.0 },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // One batch for all cores, several axes of batches, rows of one element, one row, many rows.
    for (batches, m, d) in [
        (&[1][..], 128, 4096),
        (&[2, 3], 37, 70),
        (&[50], 3, 1),
        (&[4], 1, 33),
        (&[1], 1000, 100),
    ] {
        run::<f16>(batches, m, d)?;
        run::<bf16>(batches, m, d)?;
        run::<f32>(batches, m, d)?;
    }
    Ok(())
}
