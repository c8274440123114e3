//! A cross-core reduction: one number of all cores.
//!
//! `across_cores` gives every core an accumulator that begins with 0. Each core adds to its own,
//! and behind the loop all are merged. `#[shape()]` is a tensor without axes; its only element is
//! `loss.at()`. One core makes the store outside of loops. The order of the sum depends on the
//! number of cores alone.
//!
//! Emitted text: `jumar emit examples/13_mse.rs --explain` shows two phases with a barrier between
//! them. With `--out mse`, each core stores its sum to a data block of `sPartsGm_`, a workspace.
//! Behind `SyncAll` block 0 adds them up.
//!
//! Run: `cargo run -p jumar-examples --bin mse`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Takes the mean square: `loss = sum of (x - y)^2 / number of elements`.
#[kernel]
pub fn mse<T: Float>(
    x: &GlobalTensor<T>,
    y: &GlobalTensor<T>,
    #[shape()] loss: &mut GlobalTensor<f32>,
) {
    let mut s = across_cores::<f32>((), 0.0);
    for t in tiles(x) {
        let e = x.at(t).load().cast::<f32>() - y.at(t).load().cast::<f32>();
        s += (e * e).sum(t);
    }
    loss.at().store(s * (1.0 / x.len() as f32));
}

fn run<T: Sample>(shape: &[usize]) -> Result<(), Box<dyn Error>> {
    let (x, y) = (
        random::<T>(shape, -1.0, 1.0, 31),
        random::<T>(shape, -1.0, 1.0, 32),
    );
    let mut loss = zeros::<f32>(&[]);
    let report = mse
        .bind()?
        .input("x", &x)
        .input("y", &y)
        .output("loss", &mut loss)
        .run()?;
    let squares = wide(&x)
        .iter()
        .zip(wide(&y))
        .map(|(x, y)| (x - y).powi(2))
        .sum::<f64>();
    let want = squares / x.len() as f64;
    // A difference and a square round. Sums are by halves inside of tiles, one after the other over
    // tiles, and then over blocks.
    let what = format!("mse {shape:?} on {} blocks, {}", report.blocks, T::NAME);
    Ok(compare(
        &what,
        &loss,
        &[want],
        Tolerance {
            steps: 80.0,
            scale: 0.0,
        },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // One element, fewer than a data block, more than one share, and an odd number on all cores.
    for shape in [&[1][..], &[7], &[3, 5000], &[1_000_003]] {
        run::<f16>(shape)?;
        run::<bf16>(shape)?;
        run::<f32>(shape)?;
    }
    Ok(())
}
