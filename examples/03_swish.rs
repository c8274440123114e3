//! The tour: check, emit, simulate and compare one kernel.
//!
//! 1. The compiler of this file has checked the kernel; the program checks it again for the chip.
//! 2. AscendC projects of three kinds are emitted and kept in memory; `jumar emit` writes them.
//! 3. 1024 elements on 48 vector cores with scale 1.11753 are a case on which generated kernels
//!    fail. 1024 / 48 is 21 remainder 16, and 21 floats are 84 bytes, which DataCopy cannot move.
//!    The emitted text divides units of 512 bytes, so each share starts aligned.
//! 4. A large random array of each element type is compared with a reference in f64.
//!
//! Emitted text: `jumar emit examples/03_swish.rs --out swish` writes `swish_tiling_func.h`, where
//! `units`, `baseUnits` and `extraUnits` divide the elements. `Compute` in `swish.cpp` is the
//! formula, call by call.
//!
//! Run: `cargo run -p jumar-examples --bin swish`.

use jumar::prelude::*;
use jumar::{Chip, ProjectKind};
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;
use std::time::Instant;

/// Computes swish of each element: `y = x / (1 + exp(-scale * x))`.
#[kernel]
pub fn swish<T: Float>(x: &GlobalTensor<T>, y: &mut GlobalTensor<T>, #[default(1.0)] scale: f32) {
    for t in tiles(x) {
        let v = x.at(t).load().cast::<f32>();
        let sigmoid_inverse = (v * -scale).exp() + 1.0;
        y.at(t).store((v / sigmoid_inverse).cast::<T>());
    }
}

fn check_and_emit() -> Result<(), Box<dyn Error>> {
    let chip = Chip::default_chip();
    let checked = swish.check(chip)?;
    println!(
        "checked swish for {}: {} instances",
        chip.name,
        checked.instances().len()
    );
    for kind in [ProjectKind::Direct, ProjectKind::Asc, ProjectKind::Msopgen] {
        let project = swish.emit(kind, chip)?;
        println!("emitted {kind:?}:");
        for file in &project.files {
            println!("  {:<32} {:>4} lines", file.path, file.text.lines().count());
        }
    }
    Ok(())
}

/// Runs swish on a random array, compares the result, and returns the report of the launch.
fn run<T: Sample>(shape: &[usize], scale: f32) -> Result<jumar::Report, Box<dyn Error>> {
    let x = random::<T>(shape, -8.0, 8.0, 42);
    let mut y = zeros::<T>(shape);
    let start = Instant::now();
    let report = swish
        .bind()?
        .input("x", &x)
        .output("y", &mut y)
        .attr("scale", scale)
        .run()?;
    let took = start.elapsed();
    let factor = f64::from(scale);
    let want: Vec<f64> = wide(&x)
        .iter()
        .map(|v| v / (1.0 + (-factor * v).exp()))
        .collect();
    // The product in the exponent is at most 8 * scale, and exp multiplies its rounding by that.
    // Exp, sum and quotient round, too.
    let steps = 8.0 * factor.abs() + 4.0;
    compare(
        &format!("swish {shape:?}"),
        &y,
        &want,
        Tolerance { steps, scale: 0.0 },
    )?;
    println!(
        "  simulated {} blocks in {:.1} ms on this computer",
        report.blocks,
        took.as_secs_f64() * 1e3
    );
    Ok(report)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    check_and_emit()?;

    let report = run::<f32>(&[32, 32], 1.117_53)?;
    println!("  division of 1024 f32 elements in units of 128:");
    for (name, value) in &report.items[0].fields {
        println!("    {name:<14} {value:?}");
    }

    let large = [4 * 1024 * 1024];
    run::<f16>(&large, 0.750_252)?;
    run::<bf16>(&large, 1.402_33)?;
    run::<f32>(&large, 0.831_271)?;
    Ok(())
}
