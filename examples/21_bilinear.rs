//! Indices that are computed: picks of elements of a tile.
//!
//! The kernel scales planes by an integer, corners not aligned. `row.pick(w, at)` takes elements of
//! a tile in UB, at the indices of another tile, whose axes replace `w`. The indices are computed,
//! so they are clamped to `w`, as the checker demands. They are alike in every row and do not
//! depend on the loop.
//!
//! Emitted text: `jumar emit examples/21_bilinear.rs --out bilinear` writes the computation of the
//! indices before the loops: `CreateVecIndex`, `Div`, `Cast` with CAST_FLOOR, `Mins`. Inside,
//! `Gather` takes each row by its offsets.
//!
//! Run: `cargo run -p jumar-examples --bin bilinear`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Scales each plane to `s` times as many rows and columns.
#[kernel]
pub fn bilinear<T: Float>(
    #[shape(n, c, h, w)] x: &GlobalTensor<T>,
    s: usize,
    #[shape(n, c, oh = h * s, ow = w * s)] y: &mut GlobalTensor<T>,
) {
    require(s >= 1);
    let planes = new_axis(n * c);
    let (x, y) = (x.view((planes, h, w)), y.view((planes, oh, ow)));
    let column = ((ow.iota().cast::<f32>() + 0.5) / s as f32 - 0.5).max(0.0);
    let left = column.cast_with::<i32>(RoundMode::Floor).min(w - 1);
    let right = (left + 1).min(w - 1);
    let share = column - left.cast::<f32>();
    for (q, i) in tiles((planes, each(oh))) {
        // In units of half an output row: (i + 0.5) / s - 0.5, and not below the first row.
        let row = (2 * i + 1).max(s) - s;
        let above = (row / (2 * s)).min(h - 1);
        let below = (above + 1).min(h - 1);
        let f = (row - above * 2 * s) as f32 / (2 * s) as f32;
        let upper = x.at(q, above, ..).load().cast::<f32>();
        let lower = x.at(q, below, ..).load().cast::<f32>();
        let v = upper * (1.0 - f) + lower * f;
        let v = v.pick(w, left) * (1.0 - share) + v.pick(w, right) * share;
        y.at(q, i, ..).store(v.cast::<T>());
    }
}

/// Computes the result with plain loops in f64.
fn reference(x: &[f64], (h, w): (usize, usize), s: usize) -> Vec<f64> {
    let place = |i: usize, size: usize| {
        let at = ((i as f64 + 0.5) / s as f64 - 0.5).max(0.0);
        let first = (at.floor() as usize).min(size - 1);
        (first, (first + 1).min(size - 1), at - first as f64)
    };
    let mut y = Vec::new();
    for plane in x.chunks(h * w) {
        for i in 0..h * s {
            let (above, below, f) = place(i, h);
            for j in 0..w * s {
                let (left, right, g) = place(j, w);
                let at = |column: usize| {
                    plane[above * w + column] * (1.0 - f) + plane[below * w + column] * f
                };
                y.push(at(left) * (1.0 - g) + at(right) * g);
            }
        }
    }
    y
}

fn run<T: Sample>(shape: [usize; 4], s: usize) -> Result<(), Box<dyn Error>> {
    let [n, c, h, w] = shape;
    let x = random::<T>(&shape, -2.0, 2.0, 43);
    let mut y = zeros::<T>(&[n, c, h * s, w * s]);
    let report = bilinear
        .bind()?
        .input("x", &x)
        .output("y", &mut y)
        .attr("s", s)
        .run()?;
    let what = format!(
        "bilinear {shape:?} by {s}, {}, on {} blocks",
        T::NAME,
        report.blocks
    );
    // The place of a column rounds three times, relative to the number of columns before it.
    let steps = 12.0 + 3.0 * w as f64;
    Ok(compare(
        &what,
        &y,
        &reference(&wide(&x), (h, w), s),
        Tolerance { steps, scale: 4.0 },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // One element, columns that are no data block, factors that are no power of two, more planes
    // than a tile holds, rows of 4,000 elements.
    for (shape, s) in [
        ([1, 1, 1, 1], 3),
        ([2, 3, 5, 9], 2),
        ([1, 2, 4, 33], 1),
        ([3, 40, 3, 8], 5),
        ([1, 1, 2, 1000], 4),
        ([1, 70, 2, 40], 3),
    ] {
        run::<f16>(shape, s)?;
        run::<bf16>(shape, s)?;
        run::<f32>(shape, s)?;
    }
    Ok(())
}
