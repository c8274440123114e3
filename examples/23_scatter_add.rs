//! Stores at indices that are data: `atomic_add`.
//!
//! This is the backward pass of `22_embedding.rs`. `y.at(ids, ..).atomic_add(v)` adds rows: tokens
//! share them, in one iteration and on several cores, and all of them count. Such an output is
//! filled with zeros first; an in-place tensor keeps its elements. Sums of floats on several cores
//! come in no order, so their last bits may differ between runs on a chip.
//!
//! Emitted text: `jumar emit examples/23_scatter_add.rs --explain` shows the loop that fills `y`
//! with zeros, and a barrier behind it. With `--out scatter_add`, the copies of rows stand between
//! `SetAtomicAdd` and `SetAtomicNone`.
//!
//! Run: `cargo run -p jumar-examples --bin scatter_add`.

use jumar::ndarray::{ArrayD, IxDyn};
use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Adds the rows of `x` to those of `y` that their indices name.
#[kernel]
pub fn scatter_add<T: Float>(
    #[shape(n)]
    #[index(m)]
    ids: &GlobalTensor<i64>,
    #[shape(n, d)] x: &GlobalTensor<T>,
    #[shape(m, d)] y: &mut GlobalTensor<T>,
    m: usize,
) {
    for t in tiles(n) {
        y.at(ids.at(t).load(), ..).atomic_add(x.at(t, ..).load());
    }
}

/// Moves rows of a table a step against their gradients.
#[kernel]
pub fn descend(
    #[shape(n)]
    #[index(m)]
    ids: &GlobalTensor<i32>,
    #[shape(n, d)] gradient: &GlobalTensor<f32>,
    #[inplace]
    #[shape(m, d)]
    table: &mut GlobalTensor<f32>,
    #[default(0.5)] rate: f32,
) {
    for (t, c) in tiles((n, d)) {
        table
            .at(ids.at(t).load(), c)
            .atomic_add(gradient.at(t, c).load() * -rate);
    }
}

/// Makes indices below `rows`, some of them equal.
fn indices(count: usize, rows: usize) -> ArrayD<i64> {
    let mut at = 1u64;
    ArrayD::from_shape_simple_fn(IxDyn(&[count]), || {
        at = at
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((at >> 33) % rows as u64) as i64
    })
}

/// Adds the rows of `x` times a number to the rows that their indices name.
fn sums(mut y: Vec<f64>, ids: &ArrayD<i64>, x: &[f64], times: f64) -> Vec<f64> {
    let cols = x.len() / ids.len();
    for (id, row) in ids.iter().zip(x.chunks(cols)) {
        y[*id as usize * cols..][..cols]
            .iter_mut()
            .zip(row)
            .for_each(|(y, v)| *y += v * times);
    }
    y
}

/// Returns the tolerance of sums of `count` terms: each addition rounds to the element type, and no
/// sum exceeds `count`.
fn rounded<T: Sample>(count: usize) -> Tolerance {
    Tolerance {
        steps: count as f64 * T::EPSILON / f64::from(f32::EPSILON),
        scale: count as f64,
    }
}

fn run<T: Sample>(tokens: usize, rows: usize, cols: usize) -> Result<(), Box<dyn Error>> {
    let ids = indices(tokens, rows);
    let most = (0..rows as i64)
        .map(|row| ids.iter().filter(|id| **id == row).count())
        .max()
        .unwrap_or(0);
    let x = random::<T>(&[tokens, cols], -1.0, 1.0, 43);
    let mut y = zeros::<T>(&[rows, cols]);
    scatter_add
        .bind()?
        .input("ids", &ids)
        .input("x", &x)
        .output("y", &mut y)
        .attr("m", rows as i64)
        .run()?;
    let want = sums(vec![0.0; rows * cols], &ids, &wide(&x), 1.0);
    Ok(compare(
        &format!("sums of {tokens} rows in {rows} x {cols}"),
        &y,
        &want,
        rounded::<T>(most),
    )?)
}

fn step(tokens: usize, rows: usize, cols: usize) -> Result<(), Box<dyn Error>> {
    let ids = indices(tokens, rows);
    let gradient = random::<f32>(&[tokens, cols], -1.0, 1.0, 44);
    let mut table = random::<f32>(&[rows, cols], -1.0, 1.0, 45);
    let want = sums(wide(&table), &ids, &wide(&gradient), -0.5);
    let narrow = ids.mapv(|id| id as i32);
    descend
        .bind()?
        .input("ids", &narrow)
        .input("gradient", &gradient)
        .inout("table", &mut table)
        .run()?;
    Ok(compare(
        &format!("{tokens} steps in {rows} x {cols}"),
        &table,
        &want,
        rounded::<f32>(tokens),
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // One row, columns that are no data block, few rows that many tokens share, more rows than
    // tokens.
    for (tokens, rows, cols) in [(1, 1, 1), (7, 3, 10), (300, 1000, 64), (500, 5, 33)] {
        run::<f16>(tokens, rows, cols)?;
        run::<bf16>(tokens, rows, cols)?;
        run::<f32>(tokens, rows, cols)?;
        step(tokens, rows, cols)?;
    }
    Ok(())
}
