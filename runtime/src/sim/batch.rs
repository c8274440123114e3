//! Runs many iterations of a loop over rows at once, where its body is one vector call.
//!
//! A short row takes longer to look up than to compute. Names, bounds, alignment and overlap are
//! checked here once for all iterations, and the rows of a group go through one evaluation loop.
//! The result is that of iteration after iteration:
//!
//! - Addresses grow evenly (see [`super::scalar::Int::is_even_in`]), so a bound of the first and
//!   the last iteration holds in between.
//! - No iteration reads what another one writes.
//! - A group with anything unusual, such as poison under a reduction, is left to the loop. It runs
//!   the iterations one by one and reports the same fault.

use super::cast::Lane;
use super::memory::DATA_BLOCK;
use super::poison;
use super::reduce::{work_bytes, Tree};
use super::strided::{Chunk, Extent, Operand, CHUNK};
use super::vector::{Action, Call, Core, Function, Place, Typed};
use std::ops::Range;

/// One operand over all iterations.
#[derive(Clone, Copy)]
struct Rows {
    first: Typed,
    /// Bytes from iteration to iteration.
    step: isize,
    /// Bytes from the first byte to the end of the last one touched in an iteration.
    span: usize,
    /// True if the iterations follow one another without gap.
    is_run: bool,
}

impl Rows {
    fn new(first: Typed, from: Place, to: Place, extent: Extent, turns: usize) -> Self {
        let step = even_step(from, to, turns);
        let bytes = extent.n * first.op.size;
        let is_run = first.op.is_dense(extent) && step == bytes as isize;
        Rows {
            first,
            step,
            span: first.op.span(extent),
            is_run,
        }
    }
    /// Returns the operand of an iteration.
    fn turn(self, turn: usize) -> Typed {
        let at = self
            .first
            .op
            .at
            .wrapping_add_signed(self.step * turn as isize);
        Typed {
            op: Operand {
                at,
                ..self.first.op
            },
            dtype: self.first.dtype,
        }
    }
    /// Returns the bytes from the first to the last one that iterations touch, gaps included.
    fn range(self, turns: Range<usize>) -> Range<usize> {
        touched(
            self.turn(turns.start).op.at,
            self.turn(turns.end - 1).op.at,
            self.span,
        )
    }
    /// Loads the elements of some iterations side by side: UB itself where they are contiguous,
    /// else `out`.
    fn load<'a, L: Lane>(
        self,
        ub: &'a [u8],
        turns: Range<usize>,
        extent: Extent,
        raw: &mut [u8],
        out: &'a mut [L],
    ) -> &'a [L] {
        let (size, dtype) = (self.first.op.size, self.first.dtype);
        let (bytes, native) = (turns.len() * extent.n * size, dtype == L::NATIVE);
        let out = &mut out[..turns.len() * extent.n];
        if self.is_run {
            let run = &ub[self.turn(turns.start).op.at..][..bytes];
            if native {
                return bytemuck::cast_slice(run);
            }
            L::read(dtype, run, out);
            return out;
        }
        let compact: &mut [u8] = if native {
            bytemuck::cast_slice_mut(out)
        } else {
            &mut raw[..bytes]
        };
        for (turn, row) in turns.zip(compact.chunks_exact_mut(extent.n * size)) {
            self.turn(turn).op.gather(ub, extent, whole(extent), row);
        }
        if !native {
            L::read(dtype, &raw[..bytes], out);
        }
        out
    }
}

/// The operands of a batch of reductions.
struct Reductions {
    src: Rows,
    extent: Extent,
    /// Bytes from result to result.
    dst_step: isize,
    /// The work buffer, which each iteration leaves undefined.
    work: Option<Range<usize>>,
}

/// Makes one chunk of an extent; extents of a batch fit in one.
fn whole(extent: Extent) -> Chunk {
    Chunk {
        repeat: 0,
        from: 0,
        n: extent.n,
    }
}

fn even_step(from: Place, to: Place, turns: usize) -> isize {
    (to.at as isize - from.at as isize) / (turns as isize - 1)
}

fn touched(first: usize, last: usize, span: usize) -> Range<usize> {
    first.min(last)..first.max(last) + span
}

fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

impl Core {
    /// Runs the first iterations of a loop, given its first and its last call, and returns their
    /// number. There are at least two iterations, and all operands and counts change in even steps
    /// between the two calls.
    pub fn batch(&mut self, first: &Call<'_>, last: &Call<'_>, turns: usize) -> usize {
        match first.vector.action {
            Action::F32(f) => self.batch_elementwise(first, last, turns, f, first.scalar.0),
            Action::I32(f) => self.batch_elementwise(first, last, turns, f, first.scalar.1),
            Action::Reduce(reduction) => {
                self.batch_reduce(first, last, turns, self.tree(reduction, first.dst.dtype))
            }
            Action::I16(f) => self.batch_elementwise(first, last, turns, f, first.scalar.1 as i16),
            Action::Narrowed(_)
            | Action::Dequant
            | Action::CompareF32(_)
            | Action::CompareI32(_)
            | Action::Select
            | Action::Bits(_)
            | Action::Words(_)
            | Action::Shift(_)
            | Action::Cast(_)
            | Action::Duplicate
            | Action::Index
            | Action::LocalCopy
            | Action::Copy
            | Action::GatherMask
            | Action::GatherBits
            | Action::Gather
            | Action::GatherBlocks
            | Action::Top
            | Action::Sort32
            | Action::Merge
            | Action::ScanF32(_)
            | Action::ScanI32(_)
            | Action::Partial(..)
            | Action::Brcb => 0,
        }
    }

    /// Finds extent, destination and sources of an element-wise batch, if its iterations are
    /// independent.
    fn rows(
        &self,
        first: &Call<'_>,
        last: &Call<'_>,
        turns: usize,
    ) -> Option<(Extent, Rows, [Rows; 2])> {
        let (extent, dst, srcs) = self.operands(first, first.srcs).ok()?;
        self.operands(last, last.srcs).ok()?;
        if extent.n == 0 || extent.n > CHUNK {
            return None;
        }
        let dst = Rows::new(dst, first.dst, last.dst, extent, turns);
        let written = dst.range(0..turns);
        let mut rows = [dst; 2];
        for (i, (from, to)) in first.srcs.iter().zip(last.srcs).enumerate() {
            rows[i] = Rows::new(srcs[i], *from, *to, extent, turns);
            // The check of the first call allowed a source that is the destination itself.
            let same = rows[i].first.op.at == dst.first.op.at && rows[i].step == dst.step;
            if !same && meet(&written, &rows[i].range(0..turns)) {
                return None;
            }
        }
        let aligned = |r: &Rows| r.step.unsigned_abs().is_multiple_of(DATA_BLOCK);
        let apart = dst.step.unsigned_abs() >= dst.span;
        (apart && aligned(&dst) && rows.iter().all(aligned)).then_some((extent, dst, rows))
    }

    fn batch_elementwise<L: Lane>(
        &mut self,
        first: &Call<'_>,
        last: &Call<'_>,
        turns: usize,
        f: Function<L>,
        scalar: L,
    ) -> usize {
        if f.reads_dst() {
            return 0;
        }
        let Some((extent, dst, rows)) = self.rows(first, last, turns) else {
            return 0;
        };
        let (a, b) = (rows[0], rows[first.srcs.len() - 1]);
        for group in groups(turns, extent) {
            let Core {
                ub,
                scratch,
                overflow,
                ..
            } = self;
            let ([lanes_a, lanes_b, out], raw) = scratch.split::<L>();
            let out = &mut out[..group.len() * extent.n];
            let from_a = a.load(ub.bytes(), group.clone(), extent, raw, lanes_a);
            let from_b = if first.srcs.len() == 1 {
                from_a
            } else {
                b.load(ub.bytes(), group.clone(), extent, raw, lanes_b)
            };
            f.apply(out, from_a, from_b, scalar);
            let bytes = out.len() * dst.first.op.size;
            if dst.is_run {
                let at = dst.turn(group.start).op.at;
                L::write(
                    dst.first.dtype,
                    out,
                    &mut ub.bytes_mut()[at..at + bytes],
                    *overflow,
                );
            } else {
                L::write(dst.first.dtype, out, &mut raw[..bytes], *overflow);
                for (turn, row) in group
                    .clone()
                    .zip(raw.chunks_exact(extent.n * dst.first.op.size))
                {
                    dst.turn(turn)
                        .op
                        .scatter(ub.bytes_mut(), extent, whole(extent), row);
                }
            }
            spread(&mut ub.valid, dst, [a, b], group, extent);
        }
        turns
    }

    /// Finds the operands of a batch of reductions, if its iterations are independent.
    fn reductions(
        &self,
        first: &Call<'_>,
        last: &Call<'_>,
        turns: usize,
        sums: bool,
    ) -> Option<Reductions> {
        let size = first.dst.dtype.bytes() as usize;
        let extent = self.extent(first, self.repeat_bytes / size, false).ok()?;
        if extent.n == 0 || extent.n > CHUNK || (extent.per < extent.lanes && extent.repeats() > 1)
        {
            return None;
        }
        let (from, to) = (first.srcs[0], last.srcs[0]);
        let operand = self.operand(first, from, extent).ok()?;
        self.operand(last, to, extent).ok()?;
        first.inside(first.dst, size).ok()?;
        last.inside(last.dst, size).ok()?;
        let src = Rows::new(operand, from, to, extent, turns);
        let (read, written) = (
            src.range(0..turns),
            touched(first.dst.at, last.dst.at, size),
        );
        if !src.step.unsigned_abs().is_multiple_of(DATA_BLOCK) || meet(&read, &written) {
            return None;
        }
        let work = match first.work {
            Some(place) if !self.adds_in_order(first, sums) => {
                let bytes = work_bytes(extent, size, sums);
                first.inside(place, bytes).ok()?;
                let work = place.at..place.at + bytes;
                let moves = last.work.is_none_or(|w| w.at != place.at);
                if moves || meet(&work, &read) || meet(&work, &written) {
                    return None;
                }
                Some(work)
            }
            Some(_) | None => None,
        };
        Some(Reductions {
            src,
            extent,
            dst_step: even_step(first.dst, last.dst, turns),
            work,
        })
    }

    fn batch_reduce(
        &mut self,
        first: &Call<'_>,
        last: &Call<'_>,
        turns: usize,
        tree: Tree,
    ) -> usize {
        let in_order = self.adds_in_order(first, tree.sums);
        let Some(Reductions {
            src,
            extent,
            dst_step,
            work,
        }) = self.reductions(first, last, turns, tree.sums)
        else {
            return 0;
        };
        let size = src.first.op.size;
        let results_each = extent.repeats();
        // Rows of whole repeats, or of a power of two, are trees of one depth, which can be
        // computed side by side.
        let per = extent.lanes.min(extent.n);
        let alike = extent.n.is_multiple_of(per) && per.is_power_of_two();
        for group in groups(turns, extent) {
            let range = src.range(group.clone());
            let clean = poison::first(&self.ub.valid, range.start, range.len()).is_none();
            if !clean
                && group
                    .clone()
                    .any(|t| !poison::clean(&self.ub.valid, src.turn(t).op, extent))
            {
                return group.start;
            }
            if let Some(work) = work.clone() {
                poison::mark(&mut self.ub.valid, work.start, work.len(), false);
            }
            let Core {
                ub,
                scratch,
                overflow,
                ..
            } = self;
            let ([values, spare, lanes], raw) = scratch.split::<f32>();
            let loaded = src.load(ub.bytes(), group.clone(), extent, raw, lanes);
            let values = &mut values[..loaded.len()];
            values.copy_from_slice(loaded);
            if alike {
                tree.level_all(values, spare, raw, per);
            } else {
                for i in 0..group.len() {
                    tree.level_all(
                        &mut values[i * extent.n..(i + 1) * extent.n],
                        spare,
                        raw,
                        extent.lanes,
                    );
                    values.copy_within(i * extent.n..i * extent.n + results_each, i * results_each);
                }
            }
            for (turn, partial) in group.zip(values.chunks_exact_mut(results_each)) {
                let mut result = [tree.finish(partial, spare, raw, extent.lanes, in_order)];
                let at = first.dst.at.wrapping_add_signed(dst_step * turn as isize);
                f32::write(
                    first.dst.dtype,
                    &mut result,
                    &mut ub.bytes_mut()[at..at + size],
                    *overflow,
                );
                poison::mark(&mut ub.valid, at, size, true);
            }
        }
        turns
    }
}

/// Splits iterations into groups whose elements fill a chunk.
fn groups(turns: usize, extent: Extent) -> impl Iterator<Item = Range<usize>> {
    let step = CHUNK / extent.n;
    (0..turns)
        .step_by(step)
        .map(move |from| from..turns.min(from + step))
}

/// Does what [`poison::spread`] does for each iteration of a group, at once where nothing is
/// poison.
fn spread(valid: &mut [u32], dst: Rows, srcs: [Rows; 2], group: Range<usize>, extent: Extent) {
    let clean = srcs.iter().all(|s| {
        let range = s.range(group.clone());
        poison::first(valid, range.start, range.len()).is_none()
    });
    if clean && dst.is_run {
        let range = dst.range(group);
        return poison::mark(valid, range.start, range.len(), true);
    }
    for turn in group {
        let each = srcs.map(|s| s.turn(turn).op);
        poison::spread(
            valid,
            dst.turn(turn).op,
            if clean { &[] } else { &each },
            extent,
        );
    }
}
