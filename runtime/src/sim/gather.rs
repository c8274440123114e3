//! Gather and Gatherb: elements and data blocks at offsets that are data. The checker cannot know
//! offsets, so each one is checked here against its source.

use super::memory::DATA_BLOCK;
use super::vector::{Asked, Call, Core, Place};
use super::{poison, Trip};
use jumar_dsl::diag::Code;
use jumar_dsl::ops::contract::{most_chosen, BLOCKS_PER_REPEAT};

/// The bytes of an offset.
const OFFSET: usize = 4;

fn refused(text: String) -> Trip {
    Trip::new(Code::J0801, text)
}

impl Core {
    /// Runs Gather. Every operand must have the length of the call, and every offset must lead to
    /// an element of the source.
    pub(super) fn gather(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let (dst, [src, offsets]) = (call.dst, [call.srcs[0], call.srcs[1]]);
        let size = dst.dtype.bytes() as usize;
        let lanes = self.repeat_bytes / size;
        let n = self.extent(call, lanes, false)?.n;
        if n == 0 {
            return Ok(());
        }
        call.by_offsets(n, 0, most_chosen(lanes as i64))?;
        let base = based(call, size)?;
        for (place, bytes) in [
            (dst, n * size),
            (offsets, n * OFFSET),
            (src, src.end.saturating_sub(src.at)),
        ] {
            call.aligned(place)?;
            call.inside(place, bytes)?;
        }
        apart(call, src, n * size, src.end)?;
        apart(call, offsets, n * size, offsets.at + n * OFFSET)?;
        for i in 0..n {
            let from = self.chosen(call, base, i, size)?;
            let to = dst.at + i * size;
            self.ub.bytes_mut().copy_within(from..from + size, to);
            let ok = poison::element(&self.ub.valid, from, size);
            poison::mark(&mut self.ub.valid, to, size, ok);
        }
        Ok(())
    }

    /// Runs Gatherb: eight data blocks in each repeat, placed in the destination by its strides.
    pub(super) fn gather_blocks(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let (dst, [src, offsets]) = (call.dst, [call.srcs[0], call.srcs[1]]);
        let Asked::Eights(repeats) = call.asked else {
            return Err(Trip::new(
                Code::J0804,
                "`gatherb` takes repeats of eight data blocks".to_string(),
            ));
        };
        let repeats = call.repeats(repeats)?;
        if repeats == 0 {
            return Ok(());
        }
        let (most_blk, most_rep) = call.vector.strides;
        let (blk, rep) = (
            call.stride(dst.blk, most_blk)?,
            call.stride(dst.rep, most_rep)?,
        );
        call.blocks_apart(blk)?;
        let per = BLOCKS_PER_REPEAT as usize;
        let span = DATA_BLOCK * ((repeats - 1) * rep + (per - 1) * blk + 1);
        for (place, bytes) in [
            (dst, span),
            (offsets, repeats * per * OFFSET),
            (src, src.end.saturating_sub(src.at)),
        ] {
            call.aligned(place)?;
            call.inside(place, bytes)?;
        }
        apart(call, src, span, src.end)?;
        apart(call, offsets, span, offsets.at + repeats * per * OFFSET)?;
        for i in 0..repeats * per {
            let from = self.chosen(call, 0, i, DATA_BLOCK)?;
            let to = dst.at + DATA_BLOCK * (i / per * rep + i % per * blk);
            self.ub.bytes_mut().copy_within(from..from + DATA_BLOCK, to);
            self.ub.valid[to / DATA_BLOCK] = self.ub.valid[from / DATA_BLOCK];
        }
        Ok(())
    }

    /// Returns the address of the element or data block of `size` bytes that offset `i` chooses.
    fn chosen(&self, call: &Call<'_>, base: i64, i: usize, size: usize) -> Result<usize, Trip> {
        let [src, offsets] = [call.srcs[0], call.srcs[1]];
        let (op, name) = (call.vector.name, |p: Place| {
            call.tensors[p.tensor].name.as_str()
        });
        let at = offsets.at + i * OFFSET;
        if !poison::element(&self.ub.valid, at, OFFSET) {
            let what = format!(
                "offset {i} of `{op}` has no value: nothing was written to `{}` there",
                name(offsets)
            );
            return Err(Trip::new(Code::J0802, what));
        }
        let offset = i64::from(bytemuck::pod_read_unaligned::<i32>(
            &self.ub.bytes()[at..at + OFFSET],
        ));
        let most = (src.end - src.at) as i64 - size as i64 - base;
        if !(0..=most).contains(&offset) || offset % size as i64 != 0 {
            let (offsets, src) = (name(offsets), name(src));
            return Err(refused(format!(
                "`{op}` takes element {i} of `{offsets}` for an offset into `{src}`: it is {offset}, possible are multiples of {size} from 0 to {most}"
            )));
        }
        Ok(src.at + (base + offset) as usize)
    }
}

/// Returns the base of the offsets, which must be at an element of the source.
fn based(call: &Call<'_>, size: usize) -> Result<i64, Trip> {
    let (src, base) = (call.srcs[0], call.base);
    let most = src.end as i64 - src.at as i64 - size as i64;
    base.filter(|base| (0..=most).contains(base) && base % size as i64 == 0)
        .ok_or_else(|| {
            let found = base.map_or("missing".to_string(), |base| base.to_string());
            refused(format!(
            "the base of `gather` is {found}, possible are multiples of {size} from 0 to {most}"
        ))
        })
}

/// Refuses a destination of `bytes` bytes that overlaps a source, which ends at `end`.
fn apart(call: &Call<'_>, src: Place, bytes: usize, end: usize) -> Result<(), Trip> {
    let dst = call.dst;
    if dst.at >= end || src.at >= dst.at + bytes {
        return Ok(());
    }
    let name = |p: Place| call.tensors[p.tensor].name.as_str();
    let op = call.vector.name;
    Err(refused(format!(
        "`{op}` writes `{}` over its source `{}`; they must be apart",
        name(dst),
        name(src)
    )))
}
