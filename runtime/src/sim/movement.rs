//! Ops that move or convert: Cast, Duplicate, CreateVecIndex, DataCopy inside UB, GatherMask, Brcb.
//! Gather is in `gather.rs`.

use super::cast::{self, Conversion, Lane};
use super::memory::DATA_BLOCK;
use super::strided::{Extent, Operand};
use super::vector::{load, store, Asked, Call, Core, Typed};
use super::{poison, Overflow, Trip};
use jumar_dsl::diag::Code;
use jumar_dsl::ops::contract::{last_pattern, pattern};

/// Source elements that one repeat of Brcb broadcasts: one for each data block of a repeat.
const BRCB_ELEMENTS: usize = 8;

impl Core {
    pub(super) fn cast(&mut self, call: &Call<'_>, conversion: Conversion) -> Result<(), Trip> {
        let (extent, dst, [src, _]) = self.operands(call, call.srcs)?;
        if extent.n == 0 {
            return Ok(());
        }
        // The cast may be in place: its results overwrite the source's validity.
        let poisoned = dst.op.size != src.op.size && !poison::clean(&self.ub.valid, src.op, extent);
        let before = if poisoned {
            self.ub.valid.clone()
        } else {
            Vec::new()
        };
        if !(conversion == Conversion::Plain && self.cast_dense(extent, dst, src)) {
            let overflow = self.overflow;
            match conversion {
                Conversion::FromInt(mode) => {
                    self.convert(
                        extent,
                        dst,
                        src,
                        overflow,
                        |out: &mut [f32], input: &[i32]| cast::from_int(mode, out, input),
                    );
                }
                Conversion::ToInt(mode) => {
                    self.convert(
                        extent,
                        dst,
                        src,
                        overflow,
                        |out: &mut [i32], input: &[f32]| cast::to_int(mode, out, input),
                    );
                }
                // Integers saturate in every mode.
                Conversion::Whole => {
                    self.convert(
                        extent,
                        dst,
                        src,
                        Overflow::Saturate,
                        |out: &mut [i32], input: &[i32]| out.copy_from_slice(input),
                    );
                }
                Conversion::Narrow(to, mode) => {
                    self.convert(
                        extent,
                        dst,
                        src,
                        overflow,
                        |out: &mut [f32], input: &[f32]| cast::narrow(to, mode, out, input),
                    );
                }
                Conversion::Integral(mode) => {
                    self.convert(
                        extent,
                        dst,
                        src,
                        overflow,
                        |out: &mut [f32], input: &[f32]| cast::integral(mode, out, input),
                    );
                }
                Conversion::Plain | Conversion::Stored => {
                    self.convert(
                        extent,
                        dst,
                        src,
                        overflow,
                        |out: &mut [f32], input: &[f32]| out.copy_from_slice(input),
                    );
                }
            }
        }
        if dst.op.size == src.op.size {
            poison::spread(&mut self.ub.valid, dst.op, &[src.op], extent);
        } else if !poisoned {
            poison::bless(&mut self.ub.valid, dst.op, extent);
        } else if dst.op.is_dense(extent) && src.op.is_dense(extent) {
            poison::spread_resized(&mut self.ub.valid, dst.op, &before, src.op, extent);
        } else {
            poison::spread_lanes(&mut self.ub, dst.op, &[src.op], None, extent);
        }
        Ok(())
    }

    /// Converts numbers of one type to another, chunk by chunk.
    fn convert<L: Lane, M: Lane>(
        &mut self,
        extent: Extent,
        dst: Typed,
        src: Typed,
        overflow: Overflow,
        made: impl Fn(&mut [M], &[L]),
    ) {
        for chunk in extent.chunks() {
            let ([input, out, _], raw) = self.scratch.split::<L>();
            let input = load(self.ub.bytes(), src, extent, chunk, raw, input);
            let out: &mut [M] = &mut bytemuck::cast_slice_mut(out)[..chunk.n];
            made(out, input);
            store(self.ub.bytes_mut(), dst, extent, chunk, raw, out, overflow);
        }
    }

    /// Converts between two dense ranges of UB directly; returns false where they are not dense or
    /// overlap.
    fn cast_dense(&mut self, extent: Extent, dst: Typed, src: Typed) -> bool {
        let range = |t: Typed| t.op.at..t.op.at + extent.n * t.op.size;
        if !(dst.op.is_dense(extent) && src.op.is_dense(extent)) {
            return false;
        }
        let overflow = self.overflow;
        let Ok([d, s]) = self
            .ub
            .bytes_mut()
            .get_disjoint_mut([range(dst), range(src)])
        else {
            return false;
        };
        if dst.dtype == f32::NATIVE {
            f32::read(src.dtype, s, bytemuck::cast_slice_mut(d));
        } else if overflow == super::Overflow::InfNan {
            // Without clamping the values are only read.
            f32::write(dst.dtype, bytemuck::cast_slice_mut(s), d, overflow);
        } else {
            return false;
        }
        true
    }

    pub(super) fn duplicate(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let (extent, dst, _) = self.operands(call, &[])?;
        let overflow = self.overflow;
        for chunk in extent.chunks() {
            if !dst.dtype.is_float() {
                let ([out, ..], raw) = self.scratch.split::<i32>();
                out[..chunk.n].fill(call.scalar.1);
                store(
                    self.ub.bytes_mut(),
                    dst,
                    extent,
                    chunk,
                    raw,
                    &mut out[..chunk.n],
                    overflow,
                );
            } else {
                let ([out, ..], raw) = self.scratch.split::<f32>();
                out[..chunk.n].fill(call.scalar.0);
                // The scalar is an element already, so the mode that saturates does not apply.
                store(
                    self.ub.bytes_mut(),
                    dst,
                    extent,
                    chunk,
                    raw,
                    &mut out[..chunk.n],
                    super::Overflow::InfNan,
                );
            }
        }
        poison::bless(&mut self.ub.valid, dst.op, extent);
        Ok(())
    }

    /// Runs CreateVecIndex, which counts from its scalar; each element rounds, wraps or saturates
    /// once.
    pub(super) fn create_vec_index(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let (extent, dst, _) = self.operands(call, &[])?;
        let overflow = self.overflow;
        let add = if overflow == Overflow::Saturate {
            i32::saturating_add
        } else {
            i32::wrapping_add
        };
        for chunk in extent.chunks() {
            let at = |i: usize| chunk.from + i;
            if !dst.dtype.is_float() {
                let (([out, ..], raw), first) = (self.scratch.split::<i32>(), call.scalar.1);
                out[..chunk.n]
                    .iter_mut()
                    .enumerate()
                    .for_each(|(i, v)| *v = add(first, at(i) as i32));
                store(
                    self.ub.bytes_mut(),
                    dst,
                    extent,
                    chunk,
                    raw,
                    &mut out[..chunk.n],
                    overflow,
                );
            } else {
                let (([out, ..], raw), first) = (self.scratch.split::<f32>(), call.scalar.0);
                out[..chunk.n]
                    .iter_mut()
                    .enumerate()
                    .for_each(|(i, v)| *v = first + at(i) as f32);
                store(
                    self.ub.bytes_mut(),
                    dst,
                    extent,
                    chunk,
                    raw,
                    &mut out[..chunk.n],
                    overflow,
                );
            }
        }
        poison::bless(&mut self.ub.valid, dst.op, extent);
        Ok(())
    }

    /// Runs DataCopy inside UB, which moves whole data blocks and silently drops the rest.
    pub(super) fn local_copy(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let size = call.dst.dtype.bytes() as usize;
        let Asked::Count(_) = call.asked else {
            return Err(Trip::new(
                Code::J0804,
                "`local_copy` has a count form only".to_string(),
            ));
        };
        let mut extent = self.extent(call, self.repeat_bytes / size, false)?;
        extent = Extent::count(
            extent.n / (DATA_BLOCK / size) * (DATA_BLOCK / size),
            extent.lanes,
        );
        let dst = self.operand(call, call.dst, extent)?;
        let src = self.operand(call, call.srcs[0], extent)?;
        self.apart(call, dst.op, src.op, extent, call.srcs[0])?;
        let bytes = extent.n * size;
        self.ub
            .bytes_mut()
            .copy_within(src.op.at..src.op.at + bytes, dst.op.at);
        if !self.ub.mask_bits.is_empty() {
            self.ub
                .mask_bits
                .copy_within(src.op.at..src.op.at + bytes, dst.op.at);
        }
        poison::spread(&mut self.ub.valid, dst.op, &[src.op], extent);
        Ok(())
    }

    /// Runs Copy, which moves the lanes of its mask.
    pub(super) fn masked_copy(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let (extent, dst, [src, _]) = self.operands(call, call.srcs)?;
        for chunk in extent.chunks() {
            let (_, raw) = self.scratch.split::<f32>();
            let bytes = &mut raw[..chunk.n * dst.op.size];
            src.op.gather(self.ub.bytes(), extent, chunk, bytes);
            dst.op.scatter(self.ub.bytes_mut(), extent, chunk, bytes);
        }
        poison::spread(&mut self.ub.valid, dst.op, &[src.op], extent);
        Ok(())
    }

    /// Runs GatherMask by a pattern, which moves the chosen elements to the front. For the
    /// destination's room, the last group counts as whole.
    pub(super) fn gather_mask(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let (src, dst, size) = (call.srcs[0], call.dst, call.dst.dtype.bytes() as usize);
        let extent = self.extent(call, self.repeat_bytes / size, false)?;
        let refused = |text: String| Trip::new(Code::J0801, text);
        call.masked(extent.n)?;
        let most = last_pattern(self.arch);
        let number = call.pattern.filter(|number| *number <= most);
        let Some((first, step)) = number.and_then(pattern) else {
            let found = call
                .pattern
                .map_or("missing".to_string(), |number| number.to_string());
            return Err(refused(format!(
                "the pattern of `gather_mask` is {found}, possible are 1 to {most}"
            )));
        };
        let (first, step) = (first as usize, step as usize);
        call.aligned(dst)?;
        call.aligned(src)?;
        let (read, room) = (extent.n * size, extent.n.div_ceil(step) * size);
        call.inside(src, read)?;
        call.inside(dst, room)?;
        if dst.at < src.at + read && src.at < dst.at + room {
            return Err(refused(
                "`gather_mask` writes over its source; they must be apart".to_string(),
            ));
        }
        for (i, at) in (first..extent.n)
            .step_by(step)
            .map(|i| src.at + i * size)
            .enumerate()
        {
            let to = dst.at + i * size;
            self.ub.bytes_mut().copy_within(at..at + size, to);
            let ok = poison::element(&self.ub.valid, at, size);
            poison::mark(&mut self.ub.valid, to, size, ok);
        }
        Ok(())
    }

    /// Runs GatherMask by bits, which moves the elements with bit 1 to the front and counts them.
    /// The destination has room for all of them; elements after the kept ones have no value.
    pub(super) fn gather_bits(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let (dst, [src, mask]) = (call.dst, [call.srcs[0], call.srcs[1]]);
        let size = dst.dtype.bytes() as usize;
        let n = self.extent(call, self.repeat_bytes / size, false)?.n;
        let refused = |text: String| Trip::new(Code::J0801, text);
        call.masked(n)?;
        for (place, bytes) in [(dst, n * size), (src, n * size), (mask, n.div_ceil(8))] {
            call.aligned(place)?;
            call.inside(place, bytes)?;
        }
        for (place, bytes) in [(src, n * size), (mask, n.div_ceil(8))] {
            if dst.at < place.at + bytes && place.at < dst.at + n * size {
                return Err(refused(
                    "`gather_bits` writes over its source; they must be apart".to_string(),
                ));
            }
        }
        let mut kept = 0;
        for i in 0..n {
            let (byte, bit) = (mask.at + i / 8, i % 8);
            if self.ub.mask_bits[byte] >> bit & 1 == 0 {
                let name = &call.tensors[mask.tensor].name;
                return Err(Trip::new(
                    Code::J0802,
                    format!(
                        "bit {i} of `{name}` has no value, and `gather_bits` keeps elements by it"
                    ),
                ));
            }
            if self.ub.bytes()[byte] >> bit & 1 == 0 {
                continue;
            }
            let (at, to) = (src.at + i * size, dst.at + kept * size);
            self.ub.bytes_mut().copy_within(at..at + size, to);
            let ok = poison::element(&self.ub.valid, at, size);
            poison::mark(&mut self.ub.valid, to, size, ok);
            kept += 1;
        }
        poison::mark(
            &mut self.ub.valid,
            dst.at + kept * size,
            (n - kept) * size,
            false,
        );
        self.kept = kept as i64;
        Ok(())
    }

    pub(super) fn brcb(&mut self, call: &Call<'_>) -> Result<(), Trip> {
        let (src, dst) = (call.srcs[0], call.dst);
        let size = dst.dtype.bytes() as usize;
        let (repeats, blk, rep) = match call.asked {
            Asked::Eights(repeat) => {
                let (most_blk, most_rep) = call.vector.strides;
                (
                    call.repeats(repeat)?,
                    call.stride(dst.blk, most_blk)?,
                    call.stride(dst.rep, most_rep)?,
                )
            }
            Asked::Count(_) | Asked::Counter(_) | Asked::Repeat(..) => {
                return Err(Trip::new(
                    Code::J0804,
                    "`brcb` takes repeats of eight elements".to_string(),
                ));
            }
        };
        if repeats == 0 {
            return Ok(());
        }
        call.aligned(dst)?;
        call.aligned(src)?;
        call.blocks_apart(blk)?;
        // The source has at least an element for each repeat; its bound limits everything below.
        call.inside(src, repeats.saturating_mul(BRCB_ELEMENTS * size))?;
        // Eight whole data blocks for each repeat: the extent of a call on bytes.
        let lanes = BRCB_ELEMENTS * DATA_BLOCK;
        let extent = Extent::count(repeats * lanes, lanes);
        let blocks = Operand {
            at: dst.at,
            size: 1,
            blk,
            rep,
        };
        call.inside(dst, blocks.span(extent))?;
        let (end, src_end) = (
            dst.at + blocks.span(extent),
            src.at + repeats * BRCB_ELEMENTS * size,
        );
        if dst.at < src_end && src.at < end {
            return Err(Trip::new(
                Code::J0801,
                "`brcb` writes over its source; they must be apart".to_string(),
            ));
        }
        for i in 0..repeats * BRCB_ELEMENTS {
            let at = src.at + i * size;
            let to = dst.at + DATA_BLOCK * (i / BRCB_ELEMENTS * rep + i % BRCB_ELEMENTS * blk);
            let mut block = [0; DATA_BLOCK];
            block
                .chunks_exact_mut(size)
                .for_each(|c| c.copy_from_slice(&self.ub.bytes()[at..at + size]));
            self.ub.bytes_mut()[to..to + DATA_BLOCK].copy_from_slice(&block);
            self.ub.valid[to / DATA_BLOCK] = if poison::element(&self.ub.valid, at, size) {
                !0
            } else {
                0
            };
        }
        Ok(())
    }
}
