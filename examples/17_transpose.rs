//! Axes in another order.
//!
//! A tile is a set of axes, so the kernel permutes nothing: a store says where each axis goes.
//! Elements are loaded in the order of their tensor. Where the store has another order, they are
//! transposed in UB.
//!
//! Emitted text: `jumar emit examples/17_transpose.rs --out transpose` writes two projects.
//! `transpose/transpose.cpp` makes a table of offsets before the loop; one `Gather` for each row of
//! the result picks a column.
//!
//! Run: `cargo run -p jumar-examples --bin transpose`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Exchanges the last two axes: `y[i, c, r] = x[i, r, c]`.
#[kernel]
pub fn transpose<T: Float>(
    #[shape(b, n, m)] x: &GlobalTensor<T>,
    #[shape(b, m, n)] y: &mut GlobalTensor<T>,
) {
    for (i, r, t) in tiles((each(b), n, m)) {
        y.at(i, t, r).store(x.at(i, r, t).load());
    }
}

/// Copies NCHW to NHWC, and scales and shifts each channel.
#[kernel]
pub fn channels_last<T: Float>(
    #[shape(n, c, h, w)] x: &GlobalTensor<T>,
    #[shape(c)] scale: &GlobalTensor<f32>,
    #[shape(c)] shift: &GlobalTensor<f32>,
    #[shape(n, h, w, c)] y: &mut GlobalTensor<T>,
) {
    let p = new_axis(h * w);
    let (x, y) = (x.view((n, c, p)), y.view((n, p, c)));
    for (i, t) in tiles((each(n), p)) {
        let v = x.at(i, .., t).load().cast::<f32>();
        y.at(i, t, ..)
            .store((v * scale.at(..).load() + shift.at(..).load()).cast::<T>());
    }
}

fn run<T: Sample>(b: usize, n: usize, m: usize) -> Result<(), Box<dyn Error>> {
    let x = random::<T>(&[b, n, m], -2.0, 2.0, 47);
    let mut y = zeros::<T>(&[b, m, n]);
    let report = transpose.bind()?.input("x", &x).output("y", &mut y).run()?;
    let all = wide(&x);
    let places =
        (0..b).flat_map(|i| (0..m).flat_map(move |c| (0..n).map(move |r| (i * n + r) * m + c)));
    let want: Vec<f64> = places.map(|at| all[at]).collect();
    let what = format!(
        "transpose [{b}, {n}, {m}], {}, on {} blocks",
        T::NAME,
        report.blocks
    );
    compare(
        &what,
        &y,
        &want,
        Tolerance {
            steps: 0.0,
            scale: 0.0,
        },
    )?;

    // The elements again, as images of one row.
    let (x, scale) = (
        random::<T>(&[b, n, 1, m], -2.0, 2.0, 48),
        random::<f32>(&[n], 0.5, 2.0, 49),
    );
    let shift = random::<f32>(&[n], -1.0, 1.0, 50);
    let mut y = zeros::<T>(&[b, 1, m, n]);
    let launch = channels_last
        .bind()?
        .input("x", &x)
        .input("scale", &scale)
        .input("shift", &shift);
    let report = launch.output("y", &mut y).run()?;
    let all = wide(&x);
    let (scale, shift) = (wide(&scale), wide(&shift));
    let places = (0..b)
        .flat_map(|i| (0..m).flat_map(move |p| (0..n).map(move |c| ((i * n + c) * m + p, c))));
    let want: Vec<f64> = places
        .map(|(at, c)| all[at] * scale[c] + shift[c])
        .collect();
    let what = format!(
        "channels last [{b}, {n}, 1, {m}], {}, on {} blocks",
        T::NAME,
        report.blocks
    );
    Ok(compare(
        &what,
        &y,
        &want,
        Tolerance {
            steps: 2.0,
            scale: 5.0,
        },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // One element, a row, a column, sizes that are no data blocks, more rows and columns than a
    // tile holds.
    for (b, n, m) in [
        (1, 1, 1),
        (2, 1, 70),
        (2, 70, 1),
        (3, 9, 33),
        (1, 130, 64),
        (1, 300, 500),
    ] {
        run::<f16>(b, n, m)?;
        run::<bf16>(b, n, m)?;
        run::<f32>(b, n, m)?;
    }
    Ok(())
}
