//! Elements that only move, along an axis that an attribute names.
//!
//! `m @ dim` is the axis of `x` that `dim` names, counted from the end where it is negative. `a..`
//! are the axes before it and `b..` those behind it, each any number of them. `m - 1 - t` goes
//! through the axis from its last index on. Along the last axis `b` is one element, and copies of
//! single elements are slow. So `flip_last` copies runs and reverses them in UB.
//!
//! In `concat` the axis and those behind it are one piece of memory, so views make one axis of
//! them. The tile of a range, `n..n + o`, counts from the beginning of its axis.
//!
//! Emitted text: `jumar emit examples/20_flip_concat.rs --out flip_concat` writes three projects.
//! `flip.cpp` steps backwards in GM, `flip_last.cpp` has `Gather` with falling offsets, and
//! `concat.cpp` has two phases. `AxisAt` in `flip_tiling_func.h` finds the axis.
//!
//! Run: `cargo run -p jumar-examples --bin flip_concat`.

use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Reverses the axis `dim`.
#[kernel]
pub fn flip<T: Number>(
    #[shape(a.., m @ dim, b..)] x: &GlobalTensor<T>,
    dim: i32,
    #[shape(a.., m, b..)] y: &mut GlobalTensor<T>,
) {
    for (i, t, p) in tiles((each(a), m, b)) {
        y.at(i, t, p).store(x.at(i, m - 1 - t, p).load());
    }
}

/// Reverses each row.
#[kernel]
pub fn flip_last<T: Number>(#[shape(n.., d)] x: &GlobalTensor<T>, y: &mut GlobalTensor<T>) {
    for (r, t) in tiles((n, d)) {
        y.at(r, t).store(x.at(r, d - 1 - t).load());
    }
}

/// Joins `u` and `v` along the axis `dim`.
#[kernel]
pub fn concat<T: Element>(
    #[shape(a.., m @ dim, b..)] u: &GlobalTensor<T>,
    #[shape(a.., k @ dim, b..)] v: &GlobalTensor<T>,
    dim: i32,
    #[shape(a.., m + k, b..)] y: &mut GlobalTensor<T>,
) {
    let (n, o, both) = (new_axis(m * b), new_axis(k * b), new_axis((m + k) * b));
    let (u, v, y) = (u.view((a, n)), v.view((a, o)), y.view((a, both)));
    for (i, t) in tiles((a, 0..n)) {
        y.at(i, t).store(u.at(i, t).load());
    }
    for (i, t) in tiles((a, n..n + o)) {
        y.at(i, t).store(v.at(i, t - n).load());
    }
}

/// Returns the elements of a tensor with one axis changed: `piece` makes those of each index of the
/// axes before it.
fn along(shape: &[usize], dim: usize, piece: impl Fn(usize, usize) -> Vec<f64>) -> Vec<f64> {
    let before: usize = shape[..dim].iter().product();
    let behind: usize = shape[dim + 1..].iter().product();
    (0..before).flat_map(|i| piece(i, behind)).collect()
}

fn run<T: Sample>(shape: &[usize], dim: usize, more: usize) -> Result<(), Box<dyn Error>> {
    let exact = Tolerance {
        steps: 0.0,
        scale: 1.0,
    };
    let length = shape[dim];
    let with = |n: usize| [&shape[..dim], &[n], &shape[dim + 1..]].concat();
    let (u, v) = (
        random::<T>(shape, -3.0, 3.0, 1),
        random::<T>(&with(more), -3.0, 3.0, 2),
    );
    let (first, second) = (wide(&u), wide(&v));
    let back = along(shape, dim, |i, behind| {
        (0..length)
            .rev()
            .flat_map(|t| first[(i * length + t) * behind..][..behind].to_vec())
            .collect()
    });
    let both = along(shape, dim, |i, behind| {
        [
            &first[i * length * behind..][..length * behind],
            &second[i * more * behind..][..more * behind],
        ]
        .concat()
    });
    // Counted from the first axis, and from the last one.
    for said in [dim as i32, dim as i32 - shape.len() as i32] {
        let mut y = zeros::<T>(shape);
        let report = flip
            .bind()?
            .input("x", &u)
            .attr("dim", said)
            .output("y", &mut y)
            .run()?;
        compare(
            &format!("flip {shape:?} along {said} on {} blocks", report.blocks),
            &y,
            &back,
            exact,
        )?;
        let mut y = zeros::<T>(&with(length + more));
        let report = concat
            .bind()?
            .input("u", &u)
            .input("v", &v)
            .attr("dim", said)
            .output("y", &mut y)
            .run()?;
        compare(
            &format!(
                "concat {shape:?} and {more} along {said} on {} blocks",
                report.blocks
            ),
            &y,
            &both,
            exact,
        )?;
    }
    if dim + 1 == shape.len() {
        let mut y = zeros::<T>(shape);
        let report = flip_last.bind()?.input("x", &u).output("y", &mut y).run()?;
        compare(
            &format!("flip_last {shape:?} on {} blocks", report.blocks),
            &y,
            &back,
            exact,
        )?;
    }
    Ok(())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // One axis and five, lengths of one and zero, short rows and long ones.
    let shapes: [&[usize]; 7] = [
        &[70],
        &[5, 70],
        &[300, 33],
        &[2, 4096],
        &[3, 40, 8],
        &[1, 2, 3, 4, 5],
        &[2, 0, 3],
    ];
    for shape in shapes {
        for dim in 0..shape.len() {
            run::<f16>(shape, dim, 3)?;
            run::<bf16>(shape, dim, 1)?;
            run::<f32>(shape, dim, 200)?;
        }
    }
    for dim in [2, -3] {
        let (x, mut y) = (zeros::<f32>(&[4, 5]), zeros::<f32>(&[4, 5]));
        let Err(refused) = flip
            .bind()?
            .input("x", &x)
            .attr("dim", dim)
            .output("y", &mut y)
            .run()
        else {
            return Err(format!("dim {dim} of two axes was taken").into());
        };
        println!("refused: {refused}");
    }
    Ok(())
}
