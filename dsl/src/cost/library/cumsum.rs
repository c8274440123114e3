//! CumSum (asc-devkit, `impl/adv_api/detail/math/cumsum`).
//!
//! Sums along the first axis add row to row. Those along the last one transpose 16 rows at once,
//! do the same, and transpose back. Half is added up as float.

use super::elementwise::pieces;
use super::steps::{Steps, Tensor, BLOCK};
use super::{Call, Unknown};

/// Rows that TransDataTo5HD takes.
const ROWS: u32 = 16;

/// Adds the instructions of a call.
pub(super) fn issue(call: &Call, steps: &mut Steps<'_>) -> Result<(), Unknown> {
    let (dst, src, tmp) = (
        call.tensor("dst")?,
        call.tensor("src")?,
        call.tensor("tmp")?,
    );
    let (rows, row) = (call.number("rows")?, call.number("row")?);
    if call.is("last_axis")? {
        let least = ROWS * row * (2 * dst.size + if dst.size == 2 { 2 } else { 0 });
        let at_once = call.number("tmp_bytes")? / least * ROWS;
        for (first, rows) in pieces(rows, at_once) {
            along_rows(
                (rows, row),
                [dst.from(first * row), src.from(first * row), tmp],
                steps,
            );
        }
    } else {
        down_rows((rows, row), [dst, src, tmp], steps);
    }
    if call.is("gives_last")? {
        let last = dst.from((rows - 1) * row);
        steps.counted("Adds", row, call.tensor("last")?, &[last.into()]);
        steps.barrier();
    }
    Ok(())
}

/// Adds each row to the one behind it.
fn add_rows((rows, row): (u32, u32), dst: Tensor, src: Tensor, steps: &mut Steps<'_>) {
    for i in 1..rows {
        let terms = [dst.from((i - 1) * row).into(), src.from(i * row).into()];
        steps.counted("Add", row, dst.from(i * row), &terms);
        steps.barrier();
    }
}

fn down_rows((rows, row): (u32, u32), [dst, src, tmp]: [Tensor; 3], steps: &mut Steps<'_>) {
    if dst.size == 4 {
        steps.counted("Adds", row, dst, &[src.into()]);
        steps.barrier();
        return add_rows((rows, row), dst, src, steps);
    }
    let floats = tmp.sized(4);
    steps.counted("Cast", rows * row, floats, &[src.into()]);
    steps.barrier();
    add_rows((rows, row), floats, floats, steps);
    steps.counted("Cast", rows * row, dst, &[floats.into()]);
    steps.barrier();
}

/// Sums of some rows, whose number goes up to a multiple of 16.
fn along_rows((rows, row): (u32, u32), [dst, src, tmp]: [Tensor; 3], steps: &mut Steps<'_>) {
    let aligned = rows.next_multiple_of(ROWS);
    let per_block = BLOCK / dst.size;
    let floats = match dst.size {
        2 => tmp.from(aligned * row).sized(4),
        _ => tmp,
    };
    let wide = dst.size / 2;
    let high = rows == aligned && aligned > row;
    // The list of a float has both halves of a row one behind the other.
    let (near, rows_apart) = (row / per_block, aligned / per_block);
    let to = if wide == 2 { 1 } else { rows_apart };
    // Calls, their repeats, the steps of both sides, and the elements from call to call.
    let (calls, repeats, reps, pitch) = match high {
        true => (
            row / per_block,
            aligned / ROWS,
            (wide, row * wide),
            (per_block * aligned, per_block),
        ),
        false => (
            aligned / ROWS,
            row / per_block,
            (aligned, 1),
            (ROWS, ROWS * row),
        ),
    };
    let sides = [(tmp, to, reps.0, pitch.0), (src, near, reps.1, pitch.1)];
    transpose((calls, repeats), sides, steps);
    steps.barrier();
    if dst.size == 2 {
        steps.counted("Cast", aligned * row, floats, &[tmp.into()]);
        steps.barrier();
    }
    add_rows((row, aligned), floats, floats, steps);
    if dst.size == 2 {
        steps.counted("Cast", aligned * row, tmp, &[floats.into()]);
        steps.barrier();
    }
    let back = tmp.from(aligned * row);
    let (calls, repeats, reps, pitch) = match (aligned > row, dst.size) {
        (true, 2) => (
            row / ROWS,
            aligned / per_block,
            (row, 1),
            (ROWS, ROWS * aligned),
        ),
        (true, _) => (
            row / per_block,
            aligned / ROWS,
            (2 * row, 2),
            (per_block, per_block * aligned),
        ),
        (false, _) => (
            aligned / ROWS,
            row / per_block,
            (1, aligned),
            (ROWS * row, ROWS),
        ),
    };
    let apart = if wide == 2 { row } else { near };
    let sides = [
        (back, apart, reps.0, pitch.0),
        (tmp, rows_apart, reps.1, pitch.1),
    ];
    transpose((calls, repeats), sides, steps);
    steps.barrier();
    steps.counted("Adds", rows * row, dst, &[back.into()]);
    steps.barrier();
}

/// A side of a transposition: its tensor, its steps, and the elements from call to call.
type Side = (Tensor, u32, u32, u32);

/// Transposes with so many calls of so many repeats.
fn transpose((calls, repeats): (u32, u32), [dst, src]: [Side; 2], steps: &mut Steps<'_>) {
    // A single repeat has no step.
    let of = |(tensor, blk, rep, pitch): Side, call: u32| {
        let rep = if repeats > 1 { rep } else { 0 };
        tensor.from(call * pitch).steps(blk, rep)
    };
    for call in 0..calls {
        steps.repeated("TransDataTo5HD", repeats, of(dst, call), &[of(src, call)]);
    }
}
