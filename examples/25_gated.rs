//! Tensors that a launch may leave out, and functions of tiles.
//!
//! `bias: Option<&GlobalTensor<T>>` need not be given. `bias.or_full(0.0)` reads 0 then, and its
//! load stands where any other does. `if let Some(keep) = keep` asks for a tensor that no number
//! can replace. `v.gelu()` and `v.sigmoid()` are functions of the language, inlined at their use;
//! the pages of ops say how exact each is. `&` joins two masks.
//!
//! Emitted text: `jumar emit examples/25_gated.rs --out gated` writes a class for each combination,
//! such as `GatedKernelF32WithBiasWithKeepResident`. The classes without a bias have no copy of it.
//! Gelu is a polynomial in `Compute`.
//!
//! Run: `cargo run -p jumar-examples --bin gated`.

use jumar::ndarray::ArrayD;
use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// `y = gelu(x + bias) * sigmoid(gate)`; 0 where `keep` is false or the gate is not finite.
#[kernel]
pub fn gated<T: Float>(
    #[shape(n, d)] x: &GlobalTensor<T>,
    #[shape(n, d)] gate: &GlobalTensor<T>,
    #[shape(d)] bias: Option<&GlobalTensor<T>>,
    #[shape(n, d)] keep: Option<&GlobalTensor<bool>>,
    #[shape(n, d)] y: &mut GlobalTensor<T>,
) {
    for r in tiles(n) {
        let g = gate.at(r, ..).load();
        let v = x.at(r, ..).load().wide() + bias.or_full(0.0).at(..).load().wide();
        let mut u = g.is_finite().select(v.gelu() * g.wide().sigmoid(), 0.0);
        if let Some(keep) = keep {
            u = (keep.at(r, ..).load() & g.is_finite()).select(u, 0.0);
        }
        y.at(r, ..).store(u.cast::<T>());
    }
}

/// Returns the normal distribution function in f64, by a series about 0: exact enough for the
/// arguments below.
fn normal(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for k in 1..200 {
        term *= x * x / (2.0 * f64::from(k) + 1.0);
        sum += term;
    }
    0.5 + sum * (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

fn run<T: Sample>(shape: &[usize], with_bias: bool, with_keep: bool) -> Result<(), Box<dyn Error>> {
    let d = shape[1];
    let (x, gate, bias) = (
        random::<T>(shape, -3.0, 3.0, 5),
        random::<T>(shape, -4.0, 4.0, 6),
        random::<T>(&[d], -1.0, 1.0, 7),
    );
    let keep: ArrayD<bool> = random::<f32>(shape, -1.0, 1.0, 8).mapv(|v| v > 0.0);
    let mut y = zeros::<T>(shape);
    let mut launch = gated
        .bind()?
        .input("x", &x)
        .input("gate", &gate)
        .output("y", &mut y);
    if with_bias {
        launch = launch.input("bias", &bias);
    }
    if with_keep {
        launch = launch.input("keep", &keep);
    }
    launch.run()?;
    let (gate, bias, keep) = (wide(&gate), wide(&bias), keep.into_raw_vec_and_offset().0);
    let one = |(i, x): (usize, &f64)| {
        let v = if with_bias { x + bias[i % d] } else { *x };
        let kept = !with_keep || keep[i];
        if kept {
            v * normal(v) / (1.0 + (-gate[i]).exp())
        } else {
            0.0
        }
    };
    let want: Vec<f64> = wide(&x).iter().enumerate().map(one).collect();
    // Gelu is off by 6 units and one of its argument. That one counts 16 times at -4, as the
    // rounding of the sum does. Sigmoid is off by 3, and the product rounds.
    compare(
        &format!("gated {shape:?}, bias {with_bias}, keep {with_keep}"),
        &y,
        &want,
        Tolerance {
            steps: 36.0,
            scale: 0.0,
        },
    )?;
    Ok(())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    for shape in [[64, 1024], [7, 77], [1, 1]] {
        for (bias, keep) in [(true, true), (true, false), (false, true), (false, false)] {
            run::<f16>(&shape, bias, keep)?;
            run::<bf16>(&shape, bias, keep)?;
            run::<f32>(&shape, bias, keep)?;
        }
    }
    Ok(())
}
