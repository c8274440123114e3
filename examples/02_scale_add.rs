//! An attribute: a number that each launch gives.
//!
//! A scalar parameter of a kernel is an attribute. The host writes it into the tiling data, and
//! every core reads it there. `#[default(1.0)]` makes it optional, in the launch below as in the
//! definition of an emitted operator. A scalar operand of a tile needs no broadcast: `alpha * v`
//! becomes one `Muls`.
//!
//! Emitted text: `jumar emit examples/02_scale_add.rs --out scale_add` writes a field `alpha` to
//! `scale_add_tiling.h`. `Init` keeps it as `alpha_`, and `Compute` has `Muls` with `alpha_` as its
//! scalar.
//!
//! Run: `cargo run -p jumar-examples --bin scale_add`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Adds a scaled tensor to another one: `z = alpha * x + y`.
#[kernel]
pub fn scale_add<T: Float>(
    x: &GlobalTensor<T>,
    y: &GlobalTensor<T>,
    z: &mut GlobalTensor<T>,
    #[default(1.0)] alpha: f32,
) {
    for t in tiles(x) {
        let scaled = alpha * x.at(t).load().cast::<f32>();
        z.at(t)
            .store((scaled + y.at(t).load().cast::<f32>()).cast::<T>());
    }
}

fn run<T: Sample>(shape: &[usize], alpha: Option<f32>) -> Result<(), Box<dyn Error>> {
    let (x, y) = (
        random::<T>(shape, -4.0, 4.0, 1),
        random::<T>(shape, -4.0, 4.0, 2),
    );
    let mut z = zeros::<T>(shape);
    let launch = scale_add
        .bind()?
        .input("x", &x)
        .input("y", &y)
        .output("z", &mut z);
    match alpha {
        Some(alpha) => launch.attr("alpha", alpha).run()?,
        None => launch.run()?,
    };
    let factor = f64::from(alpha.unwrap_or(1.0));
    let want: Vec<f64> = wide(&x)
        .iter()
        .zip(wide(&y))
        .map(|(x, y)| factor * x + y)
        .collect();
    // A product and a sum in f32; the sum may cancel, and the error is relative to its terms.
    let tolerance = Tolerance {
        steps: 2.0,
        scale: 4.0 * (factor.abs() + 1.0),
    };
    Ok(compare(
        &format!("scale_add {shape:?} alpha {factor}"),
        &z,
        &want,
        tolerance,
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    for alpha in [None, Some(-2.5), Some(0.1)] {
        run::<f16>(&[1023], alpha)?;
        run::<bf16>(&[1023], alpha)?;
        run::<f32>(&[33, 1025], alpha)?;
    }
    Ok(())
}
