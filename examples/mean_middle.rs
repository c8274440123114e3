//! Mean over a middle axis: a loop over several axes, and a reduction that names the axis that goes.
//!
//! `tiles((each(b), d))` goes through both axes: a turn is one index of `b` and a run of `d`. All pairs are divided among the cores, so
//! that a single long batch keeps every core busy, too. `x.at(i, .., t)` has the axes `m` and `t`: a column block of one batch, which one
//! copy brings. Its sum along `m` adds halves of the block to one another and never leaves the vector unit.
//!
//! A run of `d` is as long as UB has room for with all of `m`. Where there is no room for a data block of each row, a second variant goes
//! through `m` block by block, as `column_sums.rs` says it by hand.
//!
//! Run with `cargo run -p jumar-examples --bin mean_middle`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// `y[b, d] = sum of x[b, :, d] / m`.
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

/// The same with plain loops in f64.
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
    // Halves of halves: as many additions deep as `m` has bits, then one factor.
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
    // One batch for all cores, several axes of batches, one index a row, nothing to add, and many rows.
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
