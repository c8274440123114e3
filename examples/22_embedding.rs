//! Indices that are data: rows of a table.
//!
//! A tile of integers is an index: its axes replace the axis along which it chooses. `#[index(m)]`
//! promises that each of them is one of the `m` rows. Every run on this machine checks the promise.
//!
//! Emitted text: `jumar emit examples/22_embedding.rs --out embedding` writes two projects. In
//! `embedding/embedding.cpp` the scalar unit reads each index with `GetValue`, and each row is a
//! copy. `ascendc_assert` checks the promise on a device.
//!
//! Run: `cargo run -p jumar-examples --bin embedding`.

use jumar::ndarray::{ArrayD, IxDyn};
use jumar::prelude::*;
use jumar_examples::{compare, random, wide, zeros, Sample, Tolerance};
use std::error::Error;

/// Loads the row of each token.
#[kernel]
pub fn embedding<T: Float>(
    #[shape(n)]
    #[index(m)]
    ids: &GlobalTensor<i64>,
    #[shape(m, d)] table: &GlobalTensor<T>,
    #[shape(n, d)] y: &mut GlobalTensor<T>,
) {
    for t in tiles(n) {
        y.at(t, ..).store(table.at(ids.at(t).load(), ..).load());
    }
}

/// Takes the mean of the rows of each bag of tokens.
#[kernel]
pub fn bags<T: Float>(
    #[shape(n, k)]
    #[index(m)]
    ids: &GlobalTensor<i32>,
    #[shape(m, d)] table: &GlobalTensor<T>,
    #[shape(n, d)] y: &mut GlobalTensor<T>,
) {
    for r in tiles(n) {
        let rows = table.at(ids.at(r, ..).load(), ..).load().cast::<f32>();
        y.at(r, ..).store(rows.mean(k).cast::<T>());
    }
}

/// Makes indices below `rows`, some of them equal.
fn indices(shape: &[usize], rows: usize) -> ArrayD<i64> {
    let mut at = 1u64;
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        at = at
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((at >> 33) % rows as u64) as i64
    })
}

fn run<T: Sample>(tokens: usize, rows: usize, cols: usize) -> Result<(), Box<dyn Error>> {
    let table = random::<T>(&[rows, cols], -1.0, 1.0, 41);
    let all = wide(&table);
    let row = |id: i64| &all[id as usize * cols..][..cols];

    let ids = indices(&[tokens], rows);
    let mut y = zeros::<T>(&[tokens, cols]);
    embedding
        .bind()?
        .input("ids", &ids)
        .input("table", &table)
        .output("y", &mut y)
        .run()?;
    let want: Vec<f64> = ids.iter().flat_map(|id| row(*id)).copied().collect();
    compare(
        &format!("rows {tokens} of {rows} x {cols}, {}", T::NAME),
        &y,
        &want,
        Tolerance {
            steps: 0.0,
            scale: 0.0,
        },
    )?;

    let ids = indices(&[tokens, 3], rows);
    let mut y = zeros::<T>(&[tokens, cols]);
    bags.bind()?
        .input("ids", &ids.mapv(|id| id as i32))
        .input("table", &table)
        .output("y", &mut y)
        .run()?;
    let each = ids.as_slice().ok_or("indices in order")?.chunks(3);
    let want: Vec<f64> = each
        .flat_map(|bag| (0..cols).map(move |c| bag.iter().map(|id| row(*id)[c]).sum::<f64>() / 3.0))
        .collect();
    Ok(compare(
        &format!("bags {tokens} of {rows} x {cols}, {}", T::NAME),
        &y,
        &want,
        Tolerance {
            steps: 8.0,
            scale: 1.0,
        },
    )?)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // One row, columns that are no data block, few rows that many tokens share, and long rows.
    for (tokens, rows, cols) in [(1, 1, 1), (7, 3, 10), (300, 1000, 64), (1000, 5, 33)] {
        run::<f16>(tokens, rows, cols)?;
        run::<bf16>(tokens, rows, cols)?;
        run::<f32>(tokens, rows, cols)?;
    }
    run::<f32>(3, 4, 7000)
}
