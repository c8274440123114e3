//! Reductions of one axis of two (asc-devkit, `impl/adv_api/detail/reduce`): pattern AR takes the
//! last axis away, RA the first.
//!
//! RA halves the rows until one is left. AR joins the repeats of a row, or its data blocks, and
//! reduces those; a sum halves the row instead.

use super::elementwise::pieces;
use super::steps::{Steps, Tensor, BLOCK, BLOCKS, REPEAT};
use super::{Call, Unknown};

/// Most repeats of an instruction.
const REPEATS: u32 = 255;

/// A matrix whose rows are whole data blocks.
struct Matrix {
    dst: Tensor,
    src: Tensor,
    tmp: Tensor,
    rows: u32,
    row: u32,
    /// Elements of a row with its padding.
    padded: u32,
    /// The source may be written.
    reuses: bool,
}

/// Adds the instructions of a call.
pub(super) fn issue(call: &Call, steps: &mut Steps<'_>) -> Result<(), Unknown> {
    let src = call.tensor("src")?;
    let row = call.number("last")?;
    let matrix = Matrix {
        dst: call.tensor("dst")?,
        src,
        tmp: call.tensor("tmp")?,
        rows: call.number("first")?,
        row,
        padded: row.next_multiple_of(BLOCK / src.size),
        reuses: call.is("reuses")?,
    };
    let along_rows = call.is("rows")?;
    if src.size == 1 {
        return matrix.bytes(&call.name, along_rows, steps);
    }
    if src.size == 2 {
        return Err(Unknown::Recipe);
    }
    let (op, blocks) = match call.name.as_str() {
        "ReduceMax" | "ReduceAny" => ("Max", "BlockReduceMax"),
        "ReduceMin" | "ReduceAll" => ("Min", "BlockReduceMin"),
        "ReduceSum" | "ReduceMean" => ("Add", "BlockReduceSum"),
        "ReduceProd" => ("Mul", ""),
        _ => return Err(Unknown::Recipe),
    };
    match (along_rows, op) {
        (false, op) => matrix.down(op, steps),
        (true, "Max" | "Min") => matrix.along((op, blocks), steps),
        (true, "Add") => matrix.sums(steps),
        (true, _) => matrix.products(steps),
    }
    if call.name == "ReduceMean" {
        let count = if along_rows { matrix.rows } else { row };
        steps.counted("Muls", count, matrix.dst, &[matrix.dst.into()]);
        steps.barrier();
    }
    Ok(())
}

/// Returns the greatest power of two that is no more.
fn power_of_two(count: u32) -> u32 {
    1 << count.max(1).ilog2()
}

impl Matrix {
    /// Truths of a byte: along rows they go through half, down rows two are one integer.
    fn bytes(mut self, name: &str, along_rows: bool, steps: &mut Steps<'_>) -> Result<(), Unknown> {
        let (op, blocks, bits) = match name {
            "ReduceAny" => ("Max", "BlockReduceMax", "Or"),
            "ReduceAll" => ("Min", "BlockReduceMin", "And"),
            _ => return Err(Unknown::Recipe),
        };
        if !along_rows {
            for tensor in [&mut self.dst, &mut self.src, &mut self.tmp] {
                tensor.size = 2;
            }
            self.padded /= 2;
            self.row = self.row.div_ceil(2);
            self.down(bits, steps);
            return Ok(());
        }
        // Halves of a data block, to which each row is joined.
        const HALVES: u32 = 16;
        let tmp = self.tmp.sized(2);
        let power = if self.row < BLOCK {
            0
        } else {
            power_of_two(self.row)
        };
        for i in 0..self.rows {
            let row = self.src.from(i * self.padded);
            steps.counted("Cast", self.padded, tmp, &[row.into()]);
            steps.barrier();
            let mut join = |count: u32, from: u32| {
                steps.counted(op, count, tmp, &[tmp.into(), tmp.from(from).into()]);
                steps.barrier();
            };
            if self.row > power && power > 0 {
                join(self.row - power, power);
            }
            let mut left = power;
            while left > HALVES {
                left /= 2;
                join(left, left);
            }
            let kept = tmp.from(self.padded + i * HALVES);
            steps.counted("Adds", HALVES, kept, &[tmp.into()]);
            steps.barrier();
        }
        let (whole, rest) = (
            self.rows / BLOCKS,
            self.rows.div_ceil(BLOCKS) - self.rows / BLOCKS,
        );
        for (first, repeats) in [(0, whole), (whole, rest)] {
            let from = tmp.from(self.padded + first * BLOCKS * HALVES);
            steps.repeated(blocks, repeats, tmp.from(first * BLOCKS), &[from.into()]);
            if repeats > 0 {
                steps.barrier();
            }
        }
        steps.counted("Cast", self.rows, self.dst, &[tmp.into()]);
        steps.barrier();
        Ok(())
    }

    /// Joins rows until one is left.
    fn down(&self, op: &str, steps: &mut Steps<'_>) {
        let (src, padded) = (self.src, self.padded);
        let mut left = power_of_two(self.rows);
        let rest = self.rows - left;
        let into = if self.reuses { src } else { self.tmp };
        let halve = |to: Tensor, from: [Tensor; 2], rows: u32, steps: &mut Steps<'_>| {
            steps.counted(op, rows * padded, to, &from.map(Into::into));
            steps.barrier();
        };
        if rest > 0 {
            if !self.reuses {
                steps.counted("Adds", left * padded, into, &[src.into()]);
                steps.barrier();
            }
            halve(into, [into, src.from(left * padded)], rest, steps);
        } else if !self.reuses && left > 1 {
            left /= 2;
            halve(into, [src, src.from(left * padded)], left, steps);
        } else if !self.reuses {
            steps.counted("Adds", self.row, self.dst, &[src.into()]);
            steps.barrier();
            return;
        }
        while left > 1 {
            left /= 2;
            halve(into, [into, into.from(left * padded)], left, steps);
        }
        steps.counted("Adds", self.row, self.dst, &[into.into()]);
        steps.barrier();
    }

    /// Joins the repeats or the data blocks of each row, and reduces what they give.
    fn along(&self, (op, blocks): (&str, &str), steps: &mut Steps<'_>) {
        let block = BLOCK / self.src.size;
        let lanes = block * BLOCKS;
        if self.row < block {
            let main = self.rows.div_ceil(BLOCKS);
            let (src, dst) = (self.src, self.dst);
            let partial = !self.rows.is_multiple_of(BLOCKS) && self.rows >= BLOCKS;
            let whole = if partial { main - 1 } else { main };
            for (i, repeats) in pieces(whole, REPEATS) {
                let from = src.from(i * lanes);
                steps.repeated(blocks, repeats, dst.from(i * BLOCKS), &[from.into()]);
                steps.barrier();
            }
            if partial {
                let from = src.from(whole * lanes);
                steps.repeated(blocks, 1, dst.from(whole * BLOCKS), &[from.into()]);
            }
        } else if self.row == block {
            steps.counted(blocks, self.rows * block, self.dst, &[self.src.into()]);
        } else if self.row < lanes {
            self.along_blocks((op, blocks), block, steps);
        } else if self.row <= REPEATS * block {
            self.along_repeats((op, blocks), lanes, steps);
        } else {
            self.along_long((op, blocks), lanes, steps);
        }
    }

    fn along_blocks(&self, (op, blocks): (&str, &str), block: u32, steps: &mut Steps<'_>) {
        let (src, step) = (self.src, self.padded / block);
        let count = self.rows * block;
        let (into, near) = match self.reuses {
            true => (src, (step, step * BLOCKS)),
            false => (self.tmp, (1, BLOCKS)),
        };
        let view = into.steps(near.0, near.1);
        let of = |element: u32| src.from(element).steps(step, step * BLOCKS);
        if !self.reuses {
            steps.counted("Adds", count, into, &[of(0)]);
            steps.barrier();
        }
        for i in 1..self.row / block {
            steps.counted(op, count, view, &[view, of(i * block)]);
            steps.barrier();
        }
        let tail = self.row % block;
        if tail > 0 {
            for (i, repeats) in pieces(self.rows, REPEATS) {
                let pitch = if self.reuses { self.padded } else { block };
                let to = into.from(i * pitch).steps(1, pitch / block);
                let from = src.from(i * self.padded + self.row - tail).steps(1, step);
                steps.repeated(op, repeats, to, &[to, from]);
                steps.barrier();
            }
        }
        steps.counted(blocks, count, self.dst, &[view]);
    }

    fn along_repeats(&self, (op, blocks): (&str, &str), lanes: u32, steps: &mut Steps<'_>) {
        let (src, step) = (self.src, self.padded * self.src.size / BLOCK);
        let count = self.rows * lanes;
        let (into, near) = match self.reuses {
            true => (src, step),
            false => (self.tmp, BLOCKS),
        };
        let view = into.steps(1, near);
        let of = |element: u32| src.from(element).steps(1, step);
        if !self.reuses {
            steps.counted("Adds", count, into, &[of(0)]);
            steps.barrier();
        }
        for i in 1..self.row / lanes {
            steps.counted(op, count, view, &[view, of(i * lanes)]);
            steps.barrier();
        }
        let tail = self.row % lanes;
        if tail > 0 {
            let pitch = if self.reuses { self.padded } else { lanes };
            for (i, repeats) in pieces(self.rows, REPEATS) {
                let to = into.from(i * pitch).steps(1, near);
                let from = of(i * self.padded + self.row - tail);
                steps.repeated(op, repeats, to, &[to, from]);
                steps.barrier();
            }
        }
        self.to_elements(blocks, view, into, steps);
    }

    /// Rows longer than steps can be.
    fn along_long(&self, (op, blocks): (&str, &str), lanes: u32, steps: &mut Steps<'_>) {
        let (src, padded) = (self.src, self.padded);
        let into = if self.reuses { src } else { self.tmp };
        let parts = self.row.div_ceil(lanes);
        let of = |i: u32| {
            if i + 1 == parts {
                self.row - i * lanes
            } else {
                lanes
            }
        };
        let join = |j: u32, i: u32, first: Tensor, steps: &mut Steps<'_>| {
            let terms = [first.into(), src.from(j * padded + i * lanes).into()];
            steps.counted(op, of(i), into.from(j * lanes), &terms);
            steps.barrier();
        };
        if self.reuses {
            for j in 0..self.rows {
                for i in 1..parts {
                    let first = if i == 1 {
                        src.from(j * padded)
                    } else {
                        into.from(j * lanes)
                    };
                    join(j, i, first, steps);
                }
            }
        } else {
            for j in 0..self.rows {
                steps.counted(
                    "Adds",
                    lanes,
                    into.from(j * lanes),
                    &[src.from(j * padded).into()],
                );
                steps.barrier();
            }
            for i in 1..parts {
                for j in 0..self.rows {
                    join(j, i, into.from(j * lanes), steps);
                }
            }
        }
        self.to_elements(blocks, into.steps(1, BLOCKS), into, steps);
    }

    /// Reduces a repeat of each row to an element.
    fn to_elements(&self, op: &str, view: super::steps::View, into: Tensor, steps: &mut Steps<'_>) {
        steps.counted(op, self.rows * REPEAT / self.src.size, into, &[view]);
        steps.barrier();
        steps.counted(op, self.rows * BLOCKS, self.dst, &[into.into()]);
    }

    /// The sum of each row, by halves; the tail of a row is added first.
    fn sums(&self, steps: &mut Steps<'_>) {
        const LANES: u32 = 64;
        let (dst, src) = (self.dst, self.src);
        if self.row <= BLOCKS {
            let whole = self.rows / BLOCKS;
            for (i, repeats) in [
                (0, whole),
                (whole, self.rows.div_ceil(BLOCKS) - self.rows / BLOCKS),
            ] {
                let from = src.from(i * LANES);
                steps.repeated(
                    "BlockReduceSum",
                    repeats,
                    dst.from(i * BLOCKS),
                    &[from.into()],
                );
                if repeats > 0 {
                    steps.barrier();
                }
            }
            return;
        }
        let step = self.padded / BLOCKS;
        for (first, rows) in pieces(self.rows, 248) {
            let (from, to) = (src.from(first * self.padded), dst.from(first));
            if self.row <= LANES {
                steps.repeated("WholeReduceSum", rows, to, &[from.steps(1, step)]);
            } else {
                let into = if self.reuses { src } else { self.tmp };
                self.halve(rows, [to, from, into.from(first * LANES)], steps);
            }
        }
        steps.barrier();
    }

    fn halve(&self, rows: u32, [dst, src, into]: [Tensor; 3], steps: &mut Steps<'_>) {
        const LANES: u32 = 64;
        let power = power_of_two(self.row);
        let half = if self.row == power { power / 2 } else { power };
        let tail = match self.row - power {
            0 => self.padded - half,
            tail => tail,
        };
        let copied = |to: Tensor, from: Tensor, steps: &mut Steps<'_>| {
            steps.whole("DataCopy", rows * half, Some(to.into()), &[from.into()]);
            steps.barrier();
        };
        if !self.reuses {
            copied(into, src, steps);
        }
        let pitch = if self.reuses { self.padded } else { half };
        let parts = tail.div_ceil(LANES);
        if parts < rows && half / BLOCKS <= REPEATS {
            let (near, far) = (pitch / BLOCKS, self.padded / BLOCKS);
            for i in 0..parts {
                let to = into.from(i * LANES).steps(1, near);
                let from = src.from(half + i * LANES).steps(1, far);
                steps.repeated("Add", rows, to, &[to, from]);
            }
        } else {
            for i in 0..rows {
                let to = into.from(i * pitch);
                let from = src.from(i * self.padded + half);
                steps.counted("Add", tail, to, &[to.into(), from.into()]);
            }
        }
        steps.barrier();
        if self.reuses {
            copied(into, into, steps);
        }
        let mut left = half;
        while left > LANES {
            steps.counted("PairReduceSum", rows * left, into, &[into.into()]);
            steps.barrier();
            left /= 2;
        }
        steps.counted("BlockReduceSum", rows * LANES, into, &[into.into()]);
        steps.barrier();
        steps.counted("BlockReduceSum", rows * BLOCKS, dst, &[into.into()]);
    }

    /// The product of each row, one row after the other.
    fn products(&self, steps: &mut Steps<'_>) {
        const LANES: u32 = 64;
        let (tmp, src) = (self.tmp, self.src);
        let results = if self.reuses { src } else { tmp.from(LANES) };
        let power = power_of_two(self.row);
        let rest = self.row - power;
        for j in 0..self.rows {
            let row = src.from(j * self.padded);
            let into = if self.reuses {
                row
            } else {
                results.from(j * BLOCKS)
            };
            let mut left = power;
            if self.row >= BLOCKS && rest > 0 {
                if !self.reuses {
                    steps.counted("Adds", power, into, &[row.into()]);
                    steps.barrier();
                }
                let second = if self.reuses { into } else { row };
                steps.counted("Mul", rest, into, &[into.into(), second.from(power).into()]);
                steps.barrier();
            } else if !self.reuses && power > BLOCKS {
                left /= 2;
                steps.counted("Mul", left, into, &[row.into(), row.from(left).into()]);
                steps.barrier();
            } else if !self.reuses {
                steps.counted("Adds", self.row, into, &[row.into()]);
                steps.barrier();
            }
            while left > BLOCKS {
                left /= 2;
                steps.counted("Mul", left, into, &[into.into(), into.from(left).into()]);
                steps.barrier();
            }
            steps.repeated("Brcb", 1, tmp, &[into.into()]);
            steps.barrier();
            let mut left = if self.row < BLOCKS { power } else { BLOCKS };
            if rest > 0 && left < BLOCKS {
                let other = tmp.from(power * BLOCKS);
                steps.counted("Mul", rest * BLOCKS, tmp, &[tmp.into(), other.into()]);
                steps.barrier();
            }
            while left > 1 {
                left /= 2;
                let other = tmp.from(left * BLOCKS);
                steps.counted("Mul", left * BLOCKS, tmp, &[tmp.into(), other.into()]);
                steps.barrier();
            }
            steps.counted("Adds", BLOCKS, results.from(j * BLOCKS), &[tmp.into()]);
            steps.barrier();
        }
        steps.counted("Duplicate", LANES, tmp, &[]);
        steps.barrier();
        let mask = tmp.into();
        let taken = [results.steps(1, 1), mask];
        steps.repeated("GatherMask", self.rows, self.dst, &taken);
    }
}
