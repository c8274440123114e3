//! Reductions in the documented order, in the element type.
//!
//! Inside a repeat a binary tree of neighbours; over repeats, the count form of ReduceSum on architecture 2201 adds
//! them in order, every other form goes on as a tree. Sums round after each addition; maxima and minima keep nan to
//! the end of a repeat and only there follow the overflow mode, which is what the boundary table's rows of saturating
//! half show.
//!
//! The tree runs level by level over many repeats at once: a repeat is a power of two, so neighbours of one repeat
//! are neighbours in the chunk on every level.

use super::cast::{round_through, Lane};
use super::strided::Extent;
use super::vector::{load, Asked, Call, Core, Side};
use super::{poison, Trip};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ops::{CombineFn, PairsFn};
use jumar_dsl::soc::Arch;

/// How partial results are combined and rounded.
#[derive(Clone, Copy)]
struct Tree {
    step: CombineFn,
    pairs: PairsFn,
    dtype: DType,
    sums: bool,
    overflow: super::Overflow,
}

impl Tree {
    /// Reduces each group of `per` neighbours of `values` in place and returns how many results stand at the front.
    /// A group that is cut short passes its odd elements on.
    fn level_all(self, values: &mut [f32], spare: &mut [f32], raw: &mut [u8], per: usize) -> usize {
        let whole = values.len() / per * per;
        let (mut len, mut left) = (whole, per);
        while left > 1 && len > 0 {
            (self.pairs)(&mut spare[..len / 2], &values[..len]);
            len /= 2;
            left /= 2;
            values[..len].copy_from_slice(&spare[..len]);
            if self.sums {
                round_through(self.dtype, &mut values[..len], raw, self.overflow);
            }
        }
        let mut results = whole / per;
        let mut rest = values.len() - whole;
        if rest > 0 {
            values.copy_within(whole.., results);
            let tail = &mut values[results..results + rest];
            while rest > 1 {
                for i in 0..rest.div_ceil(2) {
                    tail[i] = if 2 * i + 1 < rest { (self.step)(tail[2 * i], tail[2 * i + 1]) } else { tail[2 * i] };
                }
                rest = rest.div_ceil(2);
                if self.sums {
                    round_through(self.dtype, &mut tail[..rest], raw, self.overflow);
                }
            }
            results += 1;
        }
        round_through(self.dtype, &mut values[..results], raw, self.overflow);
        results
    }
}

impl Core {
    pub(super) fn reduce(&mut self, call: &Call<'_>, step: CombineFn, pairs: PairsFn, sums: bool) -> Result<(), Trip> {
        let (src, dst) = (call.srcs[0], call.dst);
        let size = src.dtype.bytes() as usize;
        let lanes = self.repeat_bytes / size;
        let extent = self.extent(call, lanes, false)?;
        if extent.n == 0 {
            return Ok(());
        }
        let operand = self.operand(call, src, extent, Side::Src0)?;
        call.inside(dst, size)?;
        let in_order = sums && self.arch == Arch::V220 && matches!(call.asked, Asked::Count(_));
        if let Some(lane) = self.first_poison(operand.op, extent) {
            let name = &call.tensors[src.tensor].name;
            let message = format!("`{}` reads element {lane} of `{name}`, which was never written", call.vector.name);
            return Err(Trip::new(Code::J0802, message));
        }
        if !in_order {
            self.use_work_buffer(call, extent, size, sums)?;
        }

        let tree = Tree { step, pairs, dtype: src.dtype, sums, overflow: self.overflow };
        let mut total: Option<f32> = None;
        let mut partial = Vec::new();
        for chunk in extent.chunks() {
            let ([values, spare, _], raw) = self.scratch.split::<f32>();
            if operand.dtype == f32::NATIVE && operand.op.is_dense(extent) {
                let at = operand.op.at + chunk.from * size;
                values[..chunk.n].copy_from_slice(bytemuck::cast_slice(&self.ub.bytes()[at..at + chunk.n * size]));
            } else {
                load(self.ub.bytes(), operand, extent, chunk, raw, values);
            }
            let values = &mut values[..chunk.n];
            let results = if extent.per == lanes {
                tree.level_all(values, spare, raw, lanes)
            } else {
                per_repeat(tree, values, spare, raw, extent.per)
            };
            if !in_order {
                partial.extend_from_slice(&values[..results]);
                continue;
            }
            for v in &values[..results] {
                let mut sum = [total.map_or(*v, |t| step(t, *v))];
                round_through(src.dtype, &mut sum, raw, self.overflow);
                total = Some(sum[0]);
            }
        }
        // The partial results are elements of a new run, reduced like the first one until one is left.
        while partial.len() > 1 {
            let ([_, spare, _], raw) = self.scratch.split::<f32>();
            let mut next = Vec::with_capacity(partial.len().div_ceil(lanes));
            for part in partial.chunks_mut(spare.len()) {
                let results = tree.level_all(part, spare, raw, lanes);
                next.extend_from_slice(&part[..results]);
            }
            partial = next;
        }
        let mut result = [total.or(partial.first().copied()).unwrap_or_default()];
        let mut bytes = [0u32];
        let bytes = &mut bytemuck::cast_slice_mut::<u32, u8>(&mut bytes)[..size];
        f32::write(dst.dtype, &mut result, bytes, self.overflow);
        self.ub.bytes_mut()[dst.at..dst.at + size].copy_from_slice(bytes);
        poison::mark(&mut self.ub.valid, dst.at, size, true);
        Ok(())
    }

    /// Index of the first element of an operand that was never written.
    fn first_poison(&self, operand: super::strided::Operand, extent: Extent) -> Option<usize> {
        if poison::clean(&self.ub.valid, operand, extent) {
            return None;
        }
        (0..extent.n).find(|i| {
            let at = operand.address(i / extent.per, i % extent.per);
            !poison::element(&self.ub.valid, at, operand.size)
        })
    }

    /// The work buffer must hold what the documented algorithm puts there; afterwards its content is undefined.
    fn use_work_buffer(&mut self, call: &Call<'_>, extent: Extent, size: usize, sums: bool) -> Result<(), Trip> {
        let Some(work) = call.work else { return Ok(()) };
        // Maxima and minima keep a value and an index for each repeat.
        let elements = extent.repeats() * if sums { 1 } else { 2 };
        let bytes = (elements * size).next_multiple_of(super::memory::DATA_BLOCK);
        call.inside(work, bytes)?;
        let src = call.srcs[0].at;
        if work.at < src + extent.n * size && src < work.at + bytes {
            let name = &call.tensors[work.tensor].name;
            let message = format!("the work buffer `{name}` of `{}` overlaps its source", call.vector.name);
            return Err(Trip::new(Code::J0801, message));
        }
        poison::mark(&mut self.ub.valid, work.at, bytes, false);
        Ok(())
    }
}

/// Reduces repeats that a mask cuts short, each on its own.
fn per_repeat(tree: Tree, values: &mut [f32], spare: &mut [f32], raw: &mut [u8], per: usize) -> usize {
    let mut results = 0;
    for from in (0..values.len()).step_by(per) {
        let to = (from + per).min(values.len());
        // Longer than the group, so that the whole group counts as one that is cut short.
        tree.level_all(&mut values[from..to], spare, raw, usize::MAX);
        values[results] = values[from];
        results += 1;
    }
    results
}
