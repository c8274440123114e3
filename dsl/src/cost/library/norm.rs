//! RmsNorm (asc-devkit, `impl/adv_api/detail/normalization/rmsnorm`).
//!
//! Rows go in rounds of so many. The squares of each row are added up, and the root of their mean
//! divides it; then `gamma` multiplies it.

use super::steps::{Steps, Tensor, BLOCKS};
use super::{Call, Unknown};
use crate::ops::contract::Pipe;

/// Elements of a repeat, all of them floats.
const LANES: u32 = 64;

/// The shape and the space of a call.
struct Norm {
    /// Elements of a row, and those that count.
    row: u32,
    real: u32,
    /// Rows are whole repeats, and the call says so.
    blocks: bool,
    gamma: Tensor,
    is_half: bool,
    /// One number for each row; the squares; half as floats.
    sums: Tensor,
    squares: Tensor,
    wide: Tensor,
}

/// Adds the instructions of a call.
pub(super) fn issue(call: &Call, steps: &mut Steps<'_>) -> Result<(), Unknown> {
    let (dst, src) = (call.tensor("dst")?, call.tensor("src")?);
    let (row, rows, last) = (
        call.number("row")?,
        call.number("rows")?,
        call.number("rows_last")?,
    );
    let sums = Tensor {
        at: call.number("tmp")?,
        size: 4,
    };
    let squares = sums.from(call.number("rows_aligned")?);
    let norm = Norm {
        row,
        real: call.number("row_real")?,
        blocks: call.is("blocks")?,
        gamma: call.tensor("gamma")?,
        is_half: call.size()? == 2,
        sums,
        squares,
        wide: squares.from(rows * row),
    };
    let rounds = call.number("rounds")?;
    for round in 0..rounds {
        let first = round * rows * row;
        norm.round(rows, dst.from(first), src.from(first), steps);
    }
    if last > 0 {
        let first = rounds * rows * row;
        norm.round(last, dst.from(first), src.from(first), steps);
    }
    Ok(())
}

impl Norm {
    fn round(&self, rows: u32, dst: Tensor, src: Tensor, steps: &mut Steps<'_>) {
        let (elements, sums, squares) = (rows * self.row, self.sums, self.squares);
        let floats = if self.is_half { self.wide } else { src };
        if self.is_half {
            steps.counted("Cast", elements, floats, &[src.into()]);
            steps.barrier();
        }
        steps.counted("Mul", elements, squares, &[floats.into(), floats.into()]);
        steps.barrier();
        self.add_up(rows, steps);
        for op in ["Muls", "Adds", "Ln", "Muls", "Exp"] {
            steps.counted(op, rows, sums, &[sums.into()]);
            steps.barrier();
        }
        self.divide(rows, floats, steps);
        if self.is_half {
            steps.counted("Cast", self.row, self.wide, &[self.gamma.into()]);
            steps.barrier();
            self.scale(rows, squares, self.wide, steps);
            steps.barrier();
            steps.counted("Cast", elements, dst, &[squares.into()]);
        } else {
            self.scale(rows, dst, self.gamma, steps);
            steps.barrier();
        }
        steps.barrier();
    }

    fn add_up(&self, rows: u32, steps: &mut Steps<'_>) {
        let (sums, squares) = (self.sums, self.squares);
        if self.blocks {
            let step = self.row / 8;
            let first = squares.steps(1, step);
            for block in 1..self.row / LANES {
                let next = squares.from(block * LANES).steps(1, step);
                steps.counted("Add", rows * LANES, first, &[first, next]);
                steps.barrier();
            }
            steps.counted("RepeatReduceSum", rows * LANES, sums, &[first]);
            steps.barrier();
            return;
        }
        for row in 0..rows {
            let from = squares.from(row * self.row);
            let mut left = self.real;
            while left > 1 {
                let to = if left <= LANES { sums.from(row) } else { from };
                steps.counted("RepeatReduceSum", left, to, &[from.into()]);
                steps.barrier();
                left = left.div_ceil(LANES);
            }
        }
    }

    /// Multiplies each row by its number.
    fn divide(&self, rows: u32, floats: Tensor, steps: &mut Steps<'_>) {
        let (row, sums, squares) = (self.row, self.sums, self.squares);
        if self.blocks && rows > BLOCKS && rows > row / LANES {
            let step = row / 8;
            let spread = squares.steps(step, step * BLOCKS);
            steps.repeated("Brcb", rows / BLOCKS, spread, &[sums.into()]);
            steps.barrier();
            for block in 0..row / LANES {
                let to = squares.from(block * LANES).steps(1, step);
                steps.counted("Adds", rows * LANES, to, &[squares.steps(0, step)]);
            }
            steps.barrier();
            let whole = [squares.into(), floats.into()];
            steps.counted("Mul", rows * row, squares, &whole);
            steps.barrier();
        } else {
            steps.wait(Pipe::V, Pipe::S);
            for i in 0..rows {
                steps.read(sums.from(i));
                let from = floats.from(i * row);
                steps.counted("Muls", row, squares.from(i * row), &[from.into()]);
            }
            steps.barrier();
        }
        steps.barrier();
    }

    /// Multiplies all rows by one.
    fn scale(&self, rows: u32, dst: Tensor, gamma: Tensor, steps: &mut Steps<'_>) {
        let (row, squares) = (self.row, self.squares);
        let (step, blocks) = (row / 8, row / LANES);
        if !self.blocks && row <= LANES {
            let by = [squares.steps(1, step), gamma.steps(1, 0)];
            match row {
                LANES => steps.counted("Mul", rows * row, dst, &[squares.into(), by[1]]),
                _ => steps.repeated("Mul", rows, dst.steps(1, step), &by),
            }
        } else if blocks >= rows {
            for i in 0..rows {
                let by = [squares.from(i * row).into(), gamma.into()];
                steps.counted("Mul", row, dst.from(i * row), &by);
            }
        } else {
            for block in 0..row.div_ceil(LANES) {
                let at = |tensor: Tensor, rep| tensor.from(block * LANES).steps(1, rep);
                let by = [at(squares, step), at(gamma, 0)];
                match block < blocks {
                    true => steps.counted("Mul", rows * LANES, at(dst, step), &by),
                    false => steps.repeated("Mul", rows, at(dst, step), &by),
                }
            }
        }
    }
}
