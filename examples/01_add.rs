//! Vector add: one tile loop over a whole tensor.
//!
//! `tiles(x)` divides the elements of `x` among the cores, and then into tiles that fit in UB. One
//! iteration is one tile: `load` copies it from GM, `store` writes it back. Queues, double
//! buffering, the shorter last tile and the host tiling function follow from these lines.
//!
//! The kernel is generic over `T: Float`, so it has instances for f16, bf16 and f32. The vector
//! cores of Atlas A2 cannot add bf16; the sum in f32 works for every type.
//!
//! Emitted text: `jumar emit examples/01_add.rs --out add` writes `add/add.cpp`. Its `CopyIn`,
//! `Compute` and `CopyOut` are the lines of the loop. `AddKernelF16` adds in half, since the casts
//! cancel; `AddKernelBf16` has a `Cast` on both sides of `Add`.
//!
//! Run: `cargo run -p jumar-examples --bin add`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Adds two tensors: `z = x + y`.
#[kernel]
pub fn add<T: Float>(x: &GlobalTensor<T>, y: &GlobalTensor<T>, z: &mut GlobalTensor<T>) {
    for t in tiles(x) {
        let sum = x.at(t).load().cast::<f32>() + y.at(t).load().cast::<f32>();
        z.at(t).store(sum.cast::<T>());
    }
}

fn run<T: Sample>(shape: &[usize]) -> Result<(), Box<dyn Error>> {
    let (x, y) = (
        random::<T>(shape, -4.0, 4.0, 1),
        random::<T>(shape, -4.0, 4.0, 2),
    );
    let mut z = zeros::<T>(shape);
    add.bind()?
        .input("x", &x)
        .input("y", &y)
        .output("z", &mut z)
        .run()?;
    let want: Vec<f64> = wide(&x).iter().zip(wide(&y)).map(|(x, y)| x + y).collect();
    // One addition in f32; the sum may cancel, and the error is relative to its terms.
    Ok(compare(
        &format!("add {shape:?}"),
        &z,
        &want,
        Tolerance {
            steps: 1.0,
            scale: 8.0,
        },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // A tail on every core, fewer elements than one unit, none at all, and a shape of several axes.
    for shape in [&[100_003][..], &[5], &[0], &[7, 11, 13]] {
        run::<f16>(shape)?;
        run::<bf16>(shape)?;
        run::<f32>(shape)?;
    }
    Ok(())
}
