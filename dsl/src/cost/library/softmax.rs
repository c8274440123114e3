//! SoftMax of rows (asc-devkit, `impl/adv_api/detail/activation/softmax`, `membase/v220`).
//!
//! Rows go in pieces that temporary space allows. Each row is reduced to a data block or two of one
//! number, which the other instructions read with a step of none.

use super::steps::{Steps, Tensor, BLOCKS};
use super::{Call, Unknown};

/// Floats of a repeat.
const LANES: u32 = 64;
/// Rows from this length on are reduced with a data block for each of their first eight repeats.
const LONG: u32 = 512;
/// Rows below this length are divided by columns of data blocks.
const NARROW: u32 = 192;

/// The shape of a piece.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    /// Rows of the piece.
    pub rows: u32,
    /// Elements of a row, and those that count.
    pub row: u32,
    pub real: u32,
    /// Elements of the number of a row: a data block of the caller's type.
    pub number: u32,
}

/// Adds the instructions of a call.
pub(super) fn issue(call: &Call, steps: &mut Steps<'_>) -> Result<(), Unknown> {
    let (dst, src) = (call.tensor("dst")?, call.tensor("src")?);
    let work = Tensor {
        at: call.number("tmp")?,
        size: 4,
    };
    let gives = call.is("gives_sums")?;
    let size = if gives {
        call.number("sum_size")?
    } else {
        dst.size
    };
    let (count, row) = (call.number("rows_real")?, call.number("row")?);
    // A call without sums holds them beside its rows, as floats.
    let number = 32 / if gives { size } else { 4 };
    let wide = if dst.size == 2 { row } else { 0 };
    let mut at_once = call.number("tmp_bytes")? / 4 / (number + wide + LANES);
    at_once = at_once.min(call.number("rows")?);
    if at_once < count && at_once > BLOCKS {
        at_once = at_once / BLOCKS * BLOCKS;
    }
    let at_once = at_once.min(count);
    if at_once == 0 {
        return Err(Unknown::Undecided("its temporary space holds no row"));
    }
    let beside = |key| {
        let at = call.number(key)?;
        Ok(gives.then_some(Tensor { at, size }))
    };
    let (sum, max) = (beside("sum")?, beside("max")?);
    let mut first = 0;
    steps.barrier();
    while first < count {
        if first > 0 && count - first < at_once {
            steps.barrier();
        }
        let rows = Rows {
            rows: at_once.min(count - first),
            row,
            real: call.number("row_real")?,
            number,
        };
        let of = |tensor: Tensor| tensor.from(first * row);
        let number = |tensor: Option<Tensor>| tensor.map(|tensor| tensor.from(first * number));
        rows.quotients(
            [of(dst), of(src), work],
            [number(max), number(sum)],
            at_once,
            steps,
        );
        first += at_once;
    }
    Ok(())
}

impl Rows {
    fn quotients(
        &self,
        [dst, src, work]: [Tensor; 3],
        [max, sum]: [Option<Tensor>; 2],
        at_once: u32,
        steps: &mut Steps<'_>,
    ) {
        let elements = self.rows * self.row;
        let is_half = dst.size == 2;
        let (mut from, mut to, mut free) = (src, dst, work);
        if is_half {
            (from, to) = (work, work);
            free = work.from(at_once * self.row);
            steps.counted("Cast", elements, work, &[src.into()]);
            steps.barrier();
        }
        // Numbers that the caller takes as half, or not at all, are floats in temporary space.
        let own = |tensor: Option<Tensor>| tensor.filter(|tensor| tensor.size == 4);
        let narrow = |tensor: Option<Tensor>| tensor.filter(|tensor| tensor.size == 2);
        let numbers = free;
        if own(max).is_none() {
            free = free.from(at_once * self.number);
        }
        let max_at = own(max).unwrap_or(numbers);
        let sum_at = own(sum).unwrap_or(numbers);
        self.reduce(
            ("Max", "BlockReduceMax", "WholeReduceMax"),
            max_at,
            from,
            free,
            steps,
        );
        steps.barrier();
        if let Some(max) = narrow(max) {
            steps.counted("Cast", self.rows * self.number, max, &[max_at.into()]);
            steps.barrier();
        }
        self.each("Sub", to, from, max_at, steps);
        steps.barrier();
        steps.counted("Exp", elements, to, &[to.into()]);
        steps.barrier();
        self.reduce(
            ("Add", "BlockReduceSum", "WholeReduceSum"),
            sum_at,
            to,
            free,
            steps,
        );
        steps.barrier();
        if let Some(sum) = narrow(sum) {
            steps.counted("Cast", self.rows * self.number, sum, &[sum_at.into()]);
            steps.barrier();
        }
        self.each("Div", to, to, sum_at, steps);
        if is_half {
            steps.barrier();
            steps.counted("Cast", elements, dst, &[to.into()]);
        }
    }

    /// Joins each row with its number.
    pub fn each(&self, op: &str, dst: Tensor, src: Tensor, number: Tensor, steps: &mut Steps<'_>) {
        if self.row < NARROW {
            let (blk, by) = (self.row / 8, self.number / 8);
            for j in 0..blk {
                let at = |tensor: Tensor| tensor.from(j * 8).steps(blk, self.row);
                let from = [at(src), number.steps(by, self.number)];
                steps.counted(op, self.rows * 8, at(dst), &from);
            }
        } else {
            for j in 0..self.rows {
                let by = number.from(j * self.number).steps(0, 0);
                let from = [src.from(j * self.row).into(), by];
                steps.counted(op, self.row, dst.from(j * self.row), &from);
            }
        }
    }

    /// Reduces each row to its number: first into one repeat for each row, then into one element,
    /// which is spread over a data block.
    pub fn reduce(
        &self,
        (op, blocks, whole): (&str, &str, &str),
        dst: Tensor,
        src: Tensor,
        tmp: Tensor,
        steps: &mut Steps<'_>,
    ) {
        let (rows, row, real) = (self.rows, self.row, self.real);
        let (full, tail, step) = (real / LANES, real % LANES, row / 8);
        if real < LANES {
            steps.repeated(whole, rows, dst, &[src.steps(1, step)]);
        } else {
            self.fold((op, blocks), tmp, src, steps);
            if tail > 0 {
                steps.barrier();
                let from = src.from(full * LANES);
                if row > 255 * 8 {
                    for i in 0..rows {
                        let to = tmp.from(i * LANES);
                        let terms = [to.into(), from.from(i * row).into()];
                        steps.repeated(op, 1, to, &terms);
                    }
                } else {
                    let terms = [tmp.into(), from.steps(1, step)];
                    steps.repeated(op, rows, tmp, &terms);
                }
            }
            steps.barrier();
            if rows == 1 {
                steps.repeated(whole, 8, dst, &[tmp.steps(1, 0)]);
                if self.number == 16 {
                    steps.barrier();
                    steps.whole("DataCopy", 8, Some(dst.from(8).into()), &[dst.into()]);
                }
            } else {
                steps.counted(blocks, rows * LANES, tmp, &[tmp.into()]);
                steps.barrier();
                steps.counted(blocks, rows * 8, dst, &[tmp.into()]);
            }
        }
        if rows != 1 || real <= LANES {
            steps.barrier();
            self.spread(dst, tmp, steps);
        }
    }

    /// Reduces the whole repeats of each row to one.
    fn fold(&self, (op, blocks): (&str, &str), tmp: Tensor, src: Tensor, steps: &mut Steps<'_>) {
        let (rows, row, step) = (self.rows, self.row, self.row / 8);
        let full = self.real / LANES;
        let onto_one = |first: u32, steps: &mut Steps<'_>| {
            for j in 0..rows {
                let to = tmp.from(j * LANES).steps(1, 0);
                let from = src.from(first * LANES + j * row);
                steps.repeated(op, full - first, to, &[from.into(), to]);
            }
        };
        if self.real >= LONG {
            for i in 0..rows {
                let from = src.from(i * row);
                steps.repeated(blocks, 8, tmp.from(i * LANES), &[from.into()]);
            }
            if full > 8 {
                steps.barrier();
                onto_one(8, steps);
            }
        } else if full >= 2 {
            let pair = [src.steps(1, step), src.from(LANES).steps(1, step)];
            steps.repeated(op, rows, tmp, &pair);
            if rows > full {
                for i in 2..full {
                    steps.barrier();
                    let next = src.from(i * LANES).steps(1, step);
                    steps.repeated(op, rows, tmp, &[tmp.into(), next]);
                }
            } else if full > 2 {
                steps.barrier();
                onto_one(2, steps);
            }
        } else {
            steps.repeated("Copy", rows, tmp, &[src.steps(1, step)]);
        }
    }

    /// Spreads the number of each row over its data block.
    fn spread(&self, dst: Tensor, tmp: Tensor, steps: &mut Steps<'_>) {
        let repeats = self.rows.div_ceil(BLOCKS);
        if self.number == 16 && self.rows != 1 {
            for half in 0..2 {
                let to = tmp.from(half * 8).steps(2, 2 * BLOCKS);
                steps.repeated("Brcb", repeats, to, &[dst.into()]);
            }
        } else {
            steps.repeated("Brcb", repeats, tmp.steps(1, BLOCKS), &[dst.into()]);
            if self.number == 16 {
                steps.barrier();
                steps.whole("DataCopy", 8, Some(tmp.from(8).into()), &[tmp.into()]);
            }
        }
        steps.barrier();
        steps.counted("Copy", self.rows * self.number, dst, &[tmp.into()]);
    }
}
