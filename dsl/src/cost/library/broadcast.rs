//! BroadCast of two axes (asc-devkit, `impl/adv_api/detail/pad/broadcast`).
//!
//! A column is made a data block for each element, which Copy repeats. A row is repeated by Or with
//! zeros. Bytes go through half.

use super::elementwise::pieces;
use super::steps::{Steps, Tensor, BLOCK, BLOCKS};
use super::{Call, Unknown};
use crate::ops::contract::Pipe;

/// Most repeats of an instruction.
const REPEATS: u32 = 255;

/// A source and its result, whose rows have so many elements.
struct Spread {
    dst: Tensor,
    src: Tensor,
    tmp: Tensor,
    /// Bytes of temporary space.
    room: u32,
    rows: u32,
    row: u32,
}

/// Adds the instructions of a call.
pub(super) fn issue(call: &Call, steps: &mut Steps<'_>) -> Result<(), Unknown> {
    let (rows, row) = (call.number("rows")?, call.number("row")?);
    let elements = call.number("src_rows")? * call.number("src_row")?;
    let (dst, src, tmp) = (
        call.tensor("dst")?,
        call.tensor("src")?,
        call.tensor("tmp")?,
    );
    let mut spread = Spread {
        dst,
        src,
        tmp,
        room: call.number("tmp_bytes")?,
        rows,
        row,
    };
    let axis = call.number("axis")?;
    if dst.size > 1 {
        spread.issue(elements, axis, steps);
        return Ok(());
    }
    spread.src = tmp.sized(2);
    spread.dst = spread.src.from(elements.next_multiple_of(16));
    spread.tmp = spread.dst.from((rows * row).next_multiple_of(16));
    spread.room -= spread.tmp.at - tmp.at;
    steps.counted("Cast", elements, spread.src, &[src.into()]);
    steps.barrier();
    spread.issue(elements, axis, steps);
    steps.counted("Cast", rows * row, dst, &[spread.dst.into()]);
    steps.barrier();
    Ok(())
}

impl Spread {
    fn issue(&self, elements: u32, axis: u32, steps: &mut Steps<'_>) {
        let results = self.rows * self.row;
        if elements == results {
            steps.counted("Copy", results, self.dst, &[self.src.into()]);
            steps.barrier();
        } else if elements == 1 {
            steps.wait(Pipe::V, Pipe::S);
            steps.read(self.src);
            steps.wait(Pipe::S, Pipe::V);
            steps.counted("Duplicate", results, self.dst, &[]);
            steps.barrier();
        } else if axis == 1 {
            self.columns(steps);
        } else {
            self.rows(steps);
        }
    }

    /// Repeats a column.
    fn columns(&self, steps: &mut Steps<'_>) {
        let block = BLOCK / self.dst.size;
        let is_whole = self.row.is_multiple_of(block);
        let aligned = self.row.next_multiple_of(block);
        let needs = block * block + if is_whole { 0 } else { block * aligned };
        let at_once = self.room / self.dst.size / needs * block;
        for (first, rows) in pieces(self.rows, at_once) {
            let (dst, src) = (self.dst.from(first * self.row), self.src.from(first));
            let most = if self.dst.size == 4 {
                REPEATS
            } else {
                REPEATS - 1
            };
            for (i, repeats) in pieces(rows.div_ceil(BLOCKS), most) {
                let to = self.tmp.from(i * block * BLOCKS).steps(1, BLOCKS);
                let from = src.from(i * BLOCKS);
                steps.repeated("Brcb", repeats, to, &[from.into()]);
            }
            steps.barrier();
            let copied = if is_whole {
                dst
            } else {
                self.tmp.from(rows * block)
            };
            // Each row is one repeat to the caller, and several to the unit where it is long.
            let each = aligned.div_ceil(block * BLOCKS);
            for (i, repeats) in pieces(rows, REPEATS) {
                let to = copied.from(i * aligned);
                let to = match each {
                    1 => to.steps(1, aligned / block),
                    _ => to.into(),
                };
                let from = self.tmp.from(i * block).steps(0, 1);
                steps.repeated("Copy", repeats * each, to, &[from]);
            }
            steps.barrier();
            if !is_whole {
                let repeats = rows * self.row.div_ceil(block * BLOCKS);
                steps.repeated(
                    "GatherMask",
                    repeats,
                    dst,
                    &[copied.steps(1, aligned / block)],
                );
                steps.barrier();
            }
        }
    }

    /// Repeats a row.
    fn rows(&self, steps: &mut Steps<'_>) {
        let block = BLOCK / self.dst.size;
        let (zeros, src, dst) = (self.tmp.sized(2), self.src.sized(2), self.dst.sized(2));
        steps.repeated("Duplicate", 1, zeros, &[]);
        steps.barrier();
        let halves = self.dst.size / 2;
        if self.row >= REPEATS * block {
            for i in 0..self.rows {
                let to = dst.from(i * self.row * halves);
                let from = [src.into(), zeros.steps(0, 0)];
                steps.counted("Or", self.row * halves, to, &from);
            }
        } else {
            for (first, _) in pieces(self.rows, BLOCKS) {
                let to = dst.from(first * self.row * halves);
                let to = to.steps(self.row / block, 1);
                let from = [src.steps(0, 1), zeros.steps(0, 0)];
                steps.repeated("Or", self.row / block, to, &from);
            }
        }
        steps.barrier();
    }
}
