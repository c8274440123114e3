//! Reductions of each repeat, data block or pair.
//!
//! Lanes outside of the mask do not take part. A group without a lane that takes part leaves its
//! result unchanged (asc-devkit, pages of WholeReduceSum, BlockReduceSum and PairReduceSum).
//! Otherwise, a reduction is a tree of neighbours, as in [`super::reduce`].

use super::cast::{round_through, Lane};
use super::memory::DATA_BLOCK;
use super::reduce::Tree;
use super::strided::{Extent, BLOCKS_PER_REPEAT, CHUNK};
use super::vector::{load, Call, Core};
use super::{poison, Trip};
use jumar_dsl::diag::Code;
use jumar_dsl::ops::contract::Results;
use jumar_dsl::ops::Reduction;

impl Core {
    pub(super) fn partial(
        &mut self,
        call: &Call<'_>,
        reduction: Reduction,
        results: Results,
    ) -> Result<(), Trip> {
        let (src, dst) = (call.srcs[0], call.dst);
        let size = src.dtype.bytes() as usize;
        let lanes = self.repeat_bytes / size;
        let extent = self.extent(call, lanes, false)?;
        if extent.n == 0 {
            return Ok(());
        }
        let operand = self.operand(call, src, extent)?;
        let per = results.of(lanes as i64) as usize;
        let group = lanes / per;
        let align = match results {
            Results::Repeat => size,
            Results::Blocks => size * BLOCKS_PER_REPEAT as usize,
            Results::Pairs => DATA_BLOCK,
        };
        call.aligned_to(dst, align)?;
        let step = call.stride(dst.rep, call.vector.strides.1)? * per * size;
        // With a step of 0, all repeats write to one place, and a full repeat reaches furthest.
        let furthest = if step == 0 { 0 } else { extent.repeats() - 1 };
        let end = furthest * step + extent.lanes_of(furthest).div_ceil(group) * size;
        call.inside(dst, end)?;
        if dst.at < operand.op.at + operand.op.span(extent) && operand.op.at < dst.at + end {
            let message = format!(
                "`{}` writes its results over its source; they must be apart",
                call.vector.name
            );
            return Err(Trip::new(Code::J0801, message));
        }
        if let Some(lane) = self.first_poison(operand.op, extent) {
            let name = &call.tensors[src.tensor].name;
            let message = format!(
                "`{}` reads element {lane} of `{name}`, which was never written",
                call.vector.name
            );
            return Err(Trip::new(Code::J0802, message));
        }
        let tree = self.tree(reduction, src.dtype);
        let Core {
            ub,
            scratch,
            overflow,
            ..
        } = self;
        if extent.gaps.is_none() && extent.per % group == 0 {
            // Groups follow one another through all repeats, and only the last one may be short.
            let of_repeat = extent.per / group;
            for chunk in extent.chunks() {
                let ([lanes_of, spare, values], raw) = scratch.split::<f32>();
                let values = &mut values[..chunk.n];
                values.copy_from_slice(load(ub.bytes(), operand, extent, chunk, raw, lanes_of));
                let made = tree.level_all(values, spare, raw, group);
                let at = dst.at + chunk.repeat * step;
                let run = if step == of_repeat * size {
                    made
                } else {
                    of_repeat
                };
                for (i, results) in values[..made].chunks_mut(run).enumerate() {
                    let (at, bytes) = (at + i * step, results.len() * size);
                    f32::write(
                        dst.dtype,
                        results,
                        &mut ub.bytes_mut()[at..at + bytes],
                        *overflow,
                    );
                    poison::mark(&mut ub.valid, at, bytes, true);
                }
            }
            return Ok(());
        }
        let mut elements = [0.0; CHUNK];
        for chunk in extent.chunks() {
            let ([lanes_of, spare, values], raw) = scratch.split::<f32>();
            let loaded = load(ub.bytes(), operand, extent, chunk, raw, lanes_of);
            // Results may lie between the elements of a strided source, in blocks that it skips.
            elements[..chunk.n].copy_from_slice(loaded);
            for (i, repeat) in elements[..chunk.n].chunks(extent.per).enumerate() {
                let at = dst.at + (chunk.repeat + i) * step;
                for (j, from) in repeat.chunks(group).enumerate() {
                    let Some(value) = reduced(tree, extent, j * group, from, (values, spare, raw))
                    else {
                        continue;
                    };
                    let mut result = [value];
                    f32::write(
                        dst.dtype,
                        &mut result,
                        &mut ub.bytes_mut()[at + j * size..][..size],
                        *overflow,
                    );
                    poison::mark(&mut ub.valid, at + j * size, size, true);
                }
            }
        }
        Ok(())
    }
}

/// Reduces the elements from `lane` on to one; `None` where none takes part. Neighbours are lanes
/// by position; an element without a partner is kept as it is.
fn reduced(
    tree: Tree,
    extent: Extent,
    lane: usize,
    from: &[f32],
    (values, spare, raw): (&mut [f32], &mut [f32], &mut [u8]),
) -> Option<f32> {
    if extent.gaps.is_none() {
        values[..from.len()].copy_from_slice(from);
        tree.level_all(&mut values[..from.len()], spare, raw, usize::MAX);
        return from.first().map(|_| values[0]);
    }
    let mut level: Vec<Option<f32>> = from
        .iter()
        .enumerate()
        .map(|(i, v)| extent.takes(lane + i).then_some(*v))
        .collect();
    while level.len() > 1 {
        let mut pair = |pair: &[Option<f32>]| match (pair[0], pair.get(1).copied().flatten()) {
            (Some(a), Some(b)) => {
                let mut both = [(tree.step)(a, b)];
                // Maxima and minima follow the overflow mode at the end only, as in
                // [`super::reduce`].
                if tree.sums {
                    round_through(tree.dtype, &mut both, raw, tree.overflow);
                }
                Some(both[0])
            }
            (a, b) => a.or(b),
        };
        level = level.chunks(2).map(&mut pair).collect();
    }
    let mut result = [level.first().copied().flatten()?];
    round_through(tree.dtype, &mut result, raw, tree.overflow);
    Some(result[0])
}
