//! The mean of all squared differences: one number that all cores merge.
//!
//! `across_cores` gives every core a number of its own that begins with 0; each adds up what it finds, and behind the loop the numbers of
//! all cores are one. `#[shape()]` is a tensor without axes, one number, whose place is `loss.at()`. The store outside of loops is made by one
//! core. The order of the sum depends on the number of cores alone.
//!
//! Run with `cargo run -p jumar-examples --bin mse`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// `loss = sum of (x - y)^2 / number of elements`.
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
    // A difference, a square, and sums of halves inside of tiles, of tiles one after the other, and of blocks.
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
    // One element, fewer than a data block, more than one core's, an odd number for all cores.
    for shape in [&[1][..], &[7], &[3, 5000], &[1_000_003]] {
        run::<f16>(shape)?;
        run::<bf16>(shape)?;
        run::<f32>(shape)?;
    }
    Ok(())
}
