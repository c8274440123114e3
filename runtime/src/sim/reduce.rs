//! Reductions in the documented order, in the element type.
//!
//! Inside of a repeat the order is a binary tree of neighbours. Over repeats, the count form of
//! ReduceSum on architecture 2201 adds them in order; every other form continues as a tree. Sums
//! round after each addition. Maxima and minima keep nan to the end of a repeat and follow the
//! overflow mode only there, as the boundary table's rows of saturating half show.
//!
//! The tree runs level by level over many repeats at once. A repeat is a power of two, so
//! neighbours of one repeat are neighbours in the chunk on every level.

use super::cast::{round_through, Lane};
use super::strided::{Extent, CHUNK};
use super::vector::{load, Asked, Call, Core};
use super::{poison, Trip};
use jumar_dsl::diag::Code;
use jumar_dsl::dtype::DType;
use jumar_dsl::ops::{CombineFn, PairsFn, Reduction};
use jumar_dsl::soc::Arch;

/// The way in which partial results are combined and rounded.
#[derive(Clone, Copy)]
pub(super) struct Tree {
    pub step: CombineFn,
    pub pairs: PairsFn,
    pub dtype: DType,
    pub sums: bool,
    pub overflow: super::Overflow,
}

impl Tree {
    /// Reduces each group of `per` neighbours of `values` in place, and returns the number of
    /// results, which are at the front. `per` is a power of two, or longer than `values`; a short
    /// group passes its odd elements on.
    pub fn level_all(
        self,
        values: &mut [f32],
        spare: &mut [f32],
        raw: &mut [u8],
        per: usize,
    ) -> usize {
        let whole = values.len() / per * per;
        let mut results = whole / per;
        if whole > 0 {
            self.levels(&mut values[..whole], spare, raw, results);
        }
        let rest = values.len() - whole;
        if rest > 0 {
            values.copy_within(whole.., results);
            self.levels(&mut values[results..results + rest], spare, raw, 1);
            results += 1;
        }
        round_through(self.dtype, &mut values[..results], raw, self.overflow);
        results
    }

    /// Combines neighbours level by level until `left` results are at the front. An odd element is
    /// passed on unchanged, which happens to the last one only.
    fn levels(self, values: &mut [f32], spare: &mut [f32], raw: &mut [u8], left: usize) {
        let (mut len, mut in_values) = (values.len(), true);
        while len > left {
            let (from, to) = if in_values {
                (&*values, &mut *spare)
            } else {
                (&*spare, &mut *values)
            };
            let half = len / 2;
            (self.pairs)(&mut to[..half], &from[..2 * half]);
            if len % 2 == 1 {
                to[half] = from[len - 1];
            }
            len = len.div_ceil(2);
            if self.sums {
                round_through(self.dtype, &mut to[..len], raw, self.overflow);
            }
            in_values = !in_values;
        }
        if !in_values {
            values[..len].copy_from_slice(&spare[..len]);
        }
    }

    /// Combines the results of repeats: in order, or as elements that are reduced like the first
    /// ones.
    pub fn finish(
        self,
        partial: &mut [f32],
        spare: &mut [f32],
        raw: &mut [u8],
        lanes: usize,
        in_order: bool,
    ) -> f32 {
        if in_order {
            let mut total = [partial.first().copied().unwrap_or_default()];
            for v in partial.iter().skip(1) {
                total = [(self.step)(total[0], *v)];
                round_through(self.dtype, &mut total, raw, self.overflow);
            }
            return total[0];
        }
        let mut len = partial.len();
        while len > 1 {
            let mut made = 0;
            for from in (0..len).step_by(CHUNK) {
                let results =
                    self.level_all(&mut partial[from..len.min(from + CHUNK)], spare, raw, lanes);
                partial.copy_within(from..from + results, made);
                made += results;
            }
            len = made;
        }
        partial.first().copied().unwrap_or_default()
    }
}

impl Core {
    pub(super) fn reduce(&mut self, call: &Call<'_>, reduction: Reduction) -> Result<(), Trip> {
        let sums = reduction.rounds;
        let (src, dst) = (call.srcs[0], call.dst);
        let size = src.dtype.bytes() as usize;
        let lanes = self.repeat_bytes / size;
        let extent = self.extent(call, lanes, false)?;
        if extent.n == 0 {
            return Ok(());
        }
        let operand = self.operand(call, src, extent)?;
        call.inside(dst, size)?;
        if let Some(lane) = self.first_poison(operand.op, extent) {
            let name = &call.tensors[src.tensor].name;
            let message = format!(
                "`{}` reads element {lane} of `{name}`, which was never written",
                call.vector.name
            );
            return Err(Trip::new(Code::J0802, message));
        }
        let in_order = self.adds_in_order(call, sums);
        if !in_order {
            self.use_work_buffer(call, extent, size, sums)?;
        }

        let tree = self.tree(reduction, src.dtype);
        let Core {
            ub,
            scratch,
            overflow,
            ..
        } = self;
        let mut partial = std::mem::take(&mut scratch.partial);
        partial.clear();
        for chunk in extent.chunks() {
            let ([lanes_of, spare, values], raw) = scratch.split::<f32>();
            let loaded = load(ub.bytes(), operand, extent, chunk, raw, lanes_of);
            let values = &mut values[..chunk.n];
            values.copy_from_slice(loaded);
            let results = if extent.per == lanes {
                tree.level_all(values, spare, raw, lanes)
            } else {
                per_repeat(tree, values, spare, raw, extent.per)
            };
            partial.extend_from_slice(&values[..results]);
        }
        let ([_, spare, _], raw) = scratch.split::<f32>();
        let mut result = [tree.finish(&mut partial, spare, raw, lanes, in_order)];
        scratch.partial = partial;
        f32::write(
            dst.dtype,
            &mut result,
            &mut ub.bytes_mut()[dst.at..dst.at + size],
            *overflow,
        );
        poison::mark(&mut ub.valid, dst.at, size, true);
        Ok(())
    }

    /// Makes a reduction of elements of a type.
    pub(super) fn tree(&self, reduction: Reduction, dtype: DType) -> Tree {
        let Reduction {
            step,
            pairs,
            rounds,
            ..
        } = reduction;
        Tree {
            step,
            pairs,
            dtype,
            sums: rounds,
            overflow: self.overflow,
        }
    }

    /// True if the results of repeats are added in order, without a work buffer.
    pub(super) fn adds_in_order(&self, call: &Call<'_>, sums: bool) -> bool {
        sums && self.arch == Arch::V220 && matches!(call.asked, Asked::Count(_))
    }

    /// Finds the index of the first element of an operand that was never written.
    pub(super) fn first_poison(
        &self,
        operand: super::strided::Operand,
        extent: Extent,
    ) -> Option<usize> {
        if poison::clean(&self.ub.valid, operand, extent) {
            return None;
        }
        (0..extent.n).find(|i| {
            let (repeat, lane) = (i / extent.per, i % extent.per);
            extent.takes(lane)
                && !poison::element(&self.ub.valid, operand.address(repeat, lane), operand.size)
        })
    }

    /// Checks that the work buffer has room for the documented algorithm; its content is undefined
    /// afterwards.
    fn use_work_buffer(
        &mut self,
        call: &Call<'_>,
        extent: Extent,
        size: usize,
        sums: bool,
    ) -> Result<(), Trip> {
        let Some(work) = call.work else { return Ok(()) };
        let bytes = work_bytes(extent, size, sums);
        call.inside(work, bytes)?;
        let src = call.srcs[0].at;
        if work.at < src + extent.n * size && src < work.at + bytes {
            let name = &call.tensors[work.tensor].name;
            let message = format!(
                "the work buffer `{name}` of `{}` overlaps its source",
                call.vector.name
            );
            return Err(Trip::new(Code::J0801, message));
        }
        poison::mark(&mut self.ub.valid, work.at, bytes, false);
        Ok(())
    }
}

/// Returns the bytes of the work buffer that the documented algorithm uses. Maxima and minima keep
/// a value and an index for each repeat.
pub(super) fn work_bytes(extent: Extent, size: usize, sums: bool) -> usize {
    let elements = extent.repeats() * if sums { 1 } else { 2 };
    (elements * size).next_multiple_of(super::memory::DATA_BLOCK)
}

/// Reduces repeats that a mask makes shorter, each on its own.
fn per_repeat(
    tree: Tree,
    values: &mut [f32],
    spare: &mut [f32],
    raw: &mut [u8],
    per: usize,
) -> usize {
    let mut results = 0;
    for from in (0..values.len()).step_by(per) {
        let to = (from + per).min(values.len());
        // A length beyond the group makes the whole group count as a short one.
        tree.level_all(&mut values[from..to], spare, raw, usize::MAX);
        values[results] = values[from];
        results += 1;
    }
    results
}
