//! Elements that a mask takes: `append`.
//!
//! The place of an element depends on all before it, on any core. `y.append(v, mask)` packs in the
//! order of the loop. Elements that exceed `y` are counted and not written, and the rest of `y`
//! keeps its values.
//!
//! Emitted text: `jumar emit examples/24_masked_select.rs --explain` shows a loop that counts
//! first, and a barrier. With `--out masked_select`, each block adds up the counts of the blocks
//! before it as `yAt`. Then `GatherBits` packs each tile, and the copy goes to `yGm_[yFirst]`.
//!
//! Run: `cargo run -p jumar-examples --bin masked_select`.

use jumar::ndarray::{arr0, Array1, ArrayD, IxDyn};
use jumar::prelude::*;
use jumar_examples::{random, wide, Sample};
use std::error::Error;

/// Packs the elements of `x` whose mask is true.
#[kernel]
pub fn masked_select<T: Float>(
    #[shape(n)] x: &GlobalTensor<T>,
    #[shape(n)] mask: &GlobalTensor<bool>,
    #[shape(cap)] y: &mut GlobalTensor<T>,
    #[shape()] count: &mut GlobalTensor<i32>,
) {
    for t in tiles(n) {
        y.append(x.at(t).load(), mask.at(t).load());
    }
    count.at().store(y.appended());
}

/// Finds the places of elements above the mean of their row, and their share of all.
#[kernel]
pub fn above(
    #[shape(n, d)] x: &GlobalTensor<f32>,
    #[shape(n)] mean: &GlobalTensor<f32>,
    #[shape(cap)] places: &mut GlobalTensor<i32>,
    #[shape()] share: &mut GlobalTensor<f32>,
) {
    for (i, t) in tiles((each(n), d)) {
        let v = x.at(i, t).load();
        places.append(t.iota() + (i * d) as i32, v.gt(mean.at(i).load()));
    }
    share
        .at()
        .store(places.appended().cast::<f32>() / (n * d) as f32);
}

/// Runs `masked_select`; elements behind the packed ones must keep their values.
fn select<T: Sample>(len: usize, cap: usize, least: f64) -> Result<(), Box<dyn Error>> {
    let x = random::<T>(&[len], -1.0, 1.0, 51);
    let mask = x.mapv(|v| v.to_f64() >= least);
    let (mut y, mut count) = (ArrayD::from_elem(IxDyn(&[cap]), T::from_f64(7.0)), arr0(-1));
    masked_select
        .bind()?
        .input("x", &x)
        .input("mask", &mask)
        .output("y", &mut y)
        .output("count", &mut count)
        .run()?;
    let taken: Vec<f64> = wide(&x).into_iter().filter(|v| *v >= least).collect();
    let want: Vec<f64> = taken
        .iter()
        .copied()
        .chain([7.0].into_iter().cycle())
        .take(cap)
        .collect();
    if count[()] as usize != taken.len() || wide(&y) != want {
        return Err(format!(
            "{} of {len} elements, room for {cap}: found {count}",
            taken.len()
        )
        .into());
    }
    println!(
        "{} of {len} elements, room for {cap}, {:<4} as selected one by one",
        taken.len(),
        T::NAME
    );
    Ok(())
}

fn places(rows: usize, cols: usize) -> Result<(), Box<dyn Error>> {
    let x = random::<f32>(&[rows, cols], -1.0, 1.0, 52);
    let mean = random::<f32>(&[rows], -1.0, 1.0, 53);
    let (mut at, mut share) = (Array1::<i32>::from_elem(rows * cols, -1), arr0(0.0f32));
    above
        .bind()?
        .input("x", &x)
        .input("mean", &mean)
        .output("places", &mut at)
        .output("share", &mut share)
        .run()?;
    let is_above = |place: &usize| x[[place / cols, place % cols]] > mean[[place / cols]];
    let want: Vec<i32> = (0..rows * cols)
        .filter(is_above)
        .map(|place| place as i32)
        .collect();
    let found = want.len() as f32 / (rows * cols) as f32;
    if at.to_vec()[..want.len()] != want
        || at.iter().skip(want.len()).any(|v| *v != -1)
        || (share[()] - found).abs() > 1e-6
    {
        return Err(
            format!("places in {rows} x {cols}: a share of {share} instead of {found}").into(),
        );
    }
    println!(
        "{} places in {rows} x {cols} as found one by one",
        want.len()
    );
    Ok(())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    // One element, none, all of many, more than there is room for.
    for (len, cap, least) in [
        (1, 1, -2.0),
        (7, 7, 2.0),
        (1000, 1000, -2.0),
        (100_003, 100_003, 0.5),
        (5000, 100, 0.0),
    ] {
        select::<f16>(len, cap, least)?;
        select::<bf16>(len, cap, least)?;
        select::<f32>(len, cap, least)?;
    }
    for (rows, cols) in [(1, 1), (9, 70), (300, 33), (2, 20_011)] {
        places(rows, cols)?;
    }
    Ok(())
}
