//! Swish from text to result: check, emit, simulate, compare. The tour of the whole project in one file.
//!
//! 1. The kernel below was checked when this file was compiled; it is checked again here for the chip.
//! 2. AscendC projects of each kind are emitted (kept in memory; `jumar emit` writes them).
//! 3. 1024 elements on 48 vector cores, scale 1.11753: the case on which generated kernels fail. 1024 / 48 is 21 remainder
//!    16, and 21 `float` elements are 84 bytes, which plain DataCopy cannot move. Dividing *data blocks* instead of elements
//!    gives every core a share that starts at a multiple of 32 bytes, and no core more than one data block above another.
//! 4. A large random array in each element type, compared with a reference in f64.
//!
//! Run with `cargo run -p jumar-examples --bin swish`.

use jumar::prelude::*;
use jumar::{Chip, ProjectKind};
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;
use std::time::Instant;

/// `y = x / (1 + exp(-scale * x))`.
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

/// Runs swish on a random array and compares; gives the report of the launch.
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
    // The product in the exponent is at most 8 * scale, so its rounding grows by that factor in exp; then exp, sum, quotient.
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
    println!("  split of 1024 f32 elements in data blocks of 8:");
    for (name, value) in &report.items[0].fields {
        println!("    {name:<14} {value:?}");
    }

    let large = [4 * 1024 * 1024];
    run::<f16>(&large, 0.750_252)?;
    run::<bf16>(&large, 1.402_33)?;
    run::<f32>(&large, 0.831_271)?;
    Ok(())
}
