//! Indices and predicates of rows: `argmax` and `all`.
//!
//! `argmax` gives the index of the largest element along an axis, the lowest one of several. `all`
//! reduces a mask along an axis; its result has one bool for each row and selects one number. Here
//! a row with a nan has class -1.
//!
//! Emitted text: `jumar emit examples/07_argmax.rs --out argmax` writes `argmax/classes.cpp`. In
//! `ClassesKernelF32Resident`, `Compare` marks the largest elements and `Select` takes their
//! indices, of which `MinOfRows2` takes the lowest.
//!
//! Run: `cargo run -p jumar-examples --bin argmax`.

use jumar::ndarray::Array1;
use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Tolerance};
use std::error::Error;

/// Finds the class of each row, -1 for a nan, and how far its score exceeds the row's mean.
#[kernel]
pub fn classes<T: Float>(
    #[shape(n, d)] x: &GlobalTensor<T>,
    #[shape(n)] class: &mut GlobalTensor<i32>,
    #[shape(n)] margin: &mut GlobalTensor<f32>,
) {
    for r in tiles(n) {
        let v = x.at(r, ..).load().cast::<f32>();
        let at = v.eq(v).all(d).select(v.argmax(d).cast::<f32>(), -1.0);
        class.at(r).store(at.cast::<i32>());
        margin.at(r).store(v.amax(d) - v.mean(d));
    }
}

fn run(rows: usize, cols: usize) -> Result<(), Box<dyn Error>> {
    let mut x = random::<f32>(&[rows, cols], -8.0, 8.0, 3);
    let bad = rows / 2;
    if rows > 1 {
        x[[bad, cols / 2]] = f32::NAN;
    }
    let (mut class, mut margin) = (Array1::<i32>::zeros(rows), zeros::<f32>(&[rows]));
    classes
        .bind()?
        .input("x", &x)
        .output("class", &mut class)
        .output("margin", &mut margin)
        .run()?;

    let all = wide(&x);
    let (mut places, mut margins) = (Vec::new(), Vec::new());
    for row in all.chunks(cols) {
        let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let place = row.iter().position(|v| *v == largest).unwrap_or(0);
        let is_bad = row.iter().any(|v| v.is_nan());
        places.push(if is_bad { -1 } else { place as i32 });
        margins.push(if is_bad {
            f64::NAN
        } else {
            largest - row.iter().sum::<f64>() / cols as f64
        });
    }
    if class.to_vec() != places {
        return Err(format!("classes {rows} x {cols}: {class} instead of {places:?}").into());
    }
    Ok(compare(
        &format!("margins {rows} x {cols}"),
        &margin,
        &margins,
        Tolerance {
            steps: 64.0,
            scale: 8.0,
        },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    for (rows, cols) in [(1, 1), (7, 10), (300, 64), (5, 1000), (2, 50_257)] {
        run(rows, cols)?;
    }
    Ok(())
}
