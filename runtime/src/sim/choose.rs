//! Compare to bits and Select by bits: one bit for each element, little endian.
//!
//! On architecture 2201 Compare ignores the mask operand, and Select follows it (asc-devkit,
//! `impl/basic_api/dav_c220/kernel_operator_vec_cmpsel_impl.h`). Each bit of a mask has its own
//! validity, since one byte holds the results of eight elements. The chip computes the last repeat
//! wholly, so its bits beyond the count are poison whatever was there before.

use super::cast::Lane;
use super::memory::Ub;
use super::poison;
use super::strided::{Extent, CHUNK};
use super::vector::{load, store, Call, Core, Typed};
use super::Trip;
use jumar_dsl::diag::Code;
use jumar_dsl::ops::{BinaryFn, CompareFn};

/// The number of bits of a mask byte.
const BITS: usize = 8;

impl Core {
    pub(super) fn compare<L: Lane>(
        &mut self,
        call: &Call<'_>,
        f: CompareFn<L>,
        scalar: L,
    ) -> Result<(), Trip> {
        let size = call.srcs[0].dtype.bytes() as usize;
        let extent = self.extent(call, self.repeat_bytes / size, true)?;
        let bytes = extent.n.div_ceil(BITS);
        call.aligned(call.dst)?;
        call.inside(call.dst, bytes)?;
        let dst = call.dst.at;
        let a = self.operand(call, call.srcs[0], extent)?;
        let b = match call.srcs.get(1) {
            Some(src) => Some(self.operand(call, *src, extent)?),
            None => None,
        };
        for (src, place) in [Some(a), b].into_iter().flatten().zip(call.srcs) {
            if dst < src.op.at + src.op.span(extent) && src.op.at < dst + bytes {
                let name = &call.tensors[place.tensor].name;
                let message = format!(
                    "`{}` writes its mask over its source `{name}`; they must be apart",
                    call.vector.name
                );
                return Err(Trip::new(Code::J0801, message));
            }
        }
        let mut lanes = [0u8; CHUNK];
        for chunk in extent.chunks() {
            let ub = self.ub.bytes();
            let ([lanes_a, lanes_b, _], raw) = self.scratch.split::<L>();
            let from_a = load(ub, a, extent, chunk, raw, lanes_a);
            let from_b = match b {
                Some(b) => load(ub, b, extent, chunk, raw, lanes_b),
                None => {
                    lanes_b[..chunk.n].fill(scalar);
                    &lanes_b[..chunk.n]
                }
            };
            f(&mut lanes[..chunk.n], from_a, from_b);
            // A chunk is whole repeats, and a repeat's bits are whole bytes.
            let out = &mut self.ub.bytes_mut()[dst + chunk.from / BITS..][..chunk.n.div_ceil(BITS)];
            let (eights, rest) = lanes[..chunk.n].as_chunks::<BITS>();
            out.iter_mut()
                .zip(eights)
                .for_each(|(byte, eight)| *byte = packed(*eight));
            if let Some(byte) = out.last_mut().filter(|_| !rest.is_empty()) {
                *byte = rest.iter().rev().fold(0, |bits, lane| bits << 1 | lane);
            }
        }
        self.spread_to_bits(extent, a, b, dst, call.dst.end);
        Ok(())
    }

    fn spread_to_bits(
        &mut self,
        extent: Extent,
        a: Typed,
        b: Option<Typed>,
        dst: usize,
        end: usize,
    ) {
        let valid = &self.ub.valid;
        let whole_repeats = extent.repeats() * extent.lanes / BITS;
        let written = dst..(dst + whole_repeats).min(end);
        let clean = poison::clean(valid, a.op, extent)
            && b.is_none_or(|b| poison::clean(valid, b.op, extent));
        let bits = &mut self.ub.mask_bits[written.clone()];
        bits.fill(0);
        if clean {
            bits[..extent.n / BITS].fill(!0);
            if !extent.n.is_multiple_of(BITS) {
                bits[extent.n / BITS] = (1 << (extent.n % BITS)) - 1;
            }
        } else {
            let lane = |t: Typed, repeat, lane| {
                poison::element(valid, t.op.address(repeat, lane), t.op.size)
            };
            for i in 0..extent.n {
                let (repeat, at) = (i / extent.per, i % extent.per);
                let ok = lane(a, repeat, at) && b.is_none_or(|b| lane(b, repeat, at));
                bits[i / BITS] |= u8::from(ok) << (i % BITS);
            }
        }
        for at in written {
            poison::mark(&mut self.ub.valid, at, 1, self.ub.mask_bits[at] == !0);
        }
    }

    /// Combines masks bit by bit, as 16 bits for each element.
    pub(super) fn join_bits(&mut self, call: &Call<'_>, f: BinaryFn<u8>) -> Result<(), Trip> {
        const WORD: usize = 2;
        let extent = self.extent(call, self.repeat_bytes, false)?;
        let bytes = extent.n.div_ceil(BITS * WORD) * WORD;
        for place in std::iter::once(&call.dst).chain(call.srcs) {
            call.aligned(*place)?;
            call.inside(*place, bytes)?;
        }
        let (dst, a, b) = (
            call.dst.at,
            call.srcs[0].at,
            call.srcs[call.srcs.len() - 1].at,
        );
        for (src, place) in [(a, call.srcs[0]), (b, call.srcs[call.srcs.len() - 1])] {
            if src != dst && src < dst + bytes && dst < src + bytes {
                let name = &call.tensors[place.tensor].name;
                let message =
                    format!("`{}` writes its mask over part of its source `{name}`; they must be apart or one", call.vector.name);
                return Err(Trip::new(Code::J0801, message));
            }
        }
        self.on_runs(bytes, dst, [a, b], false, f);
        let Ub {
            mask_bits, valid, ..
        } = &mut self.ub;
        let mut all = !0;
        for at in 0..bytes {
            let known = mask_bits[a + at] & mask_bits[b + at];
            mask_bits[dst + at] = known;
            all &= known;
        }
        if all == !0 {
            poison::mark(valid, dst, bytes, true);
        } else {
            (dst..dst + bytes).for_each(|at| poison::mark(valid, at, 1, mask_bits[at] == !0));
        }
        Ok(())
    }

    /// Selects by a mask; `number` has the bits of the scalar that it chooses beside a tensor.
    pub(super) fn select<L: Lane>(&mut self, call: &Call<'_>, number: L) -> Result<(), Trip> {
        let size = call.dst.dtype.bytes() as usize;
        let extent = self.extent(call, self.repeat_bytes / size, false)?;
        let dst = words::<L>(self.operand(call, call.dst, extent)?);
        let (mask, bytes) = (call.srcs[0], bits(extent).div_ceil(BITS));
        call.aligned(mask)?;
        call.inside(mask, bytes)?;
        if mask.at < dst.op.at + dst.op.span(extent) && dst.op.at < mask.at + bytes {
            return Err(Trip::new(
                Code::J0801,
                "`select` writes over its mask; they must be apart".to_string(),
            ));
        }
        let a = words::<L>(self.operand(call, call.srcs[1], extent)?);
        self.apart(call, dst.op, a.op, extent, call.srcs[1])?;
        let b = match call.srcs.get(2) {
            Some(src) => {
                let b = words::<L>(self.operand(call, *src, extent)?);
                self.apart(call, dst.op, b.op, extent, *src)?;
                Some(b)
            }
            None => None,
        };
        for chunk in extent.chunks() {
            let ub = self.ub.bytes();
            let ([lanes_a, lanes_b, out], raw) = self.scratch.split::<L>();
            let from_a = load(ub, a, extent, chunk, raw, lanes_a);
            let from_b = match b {
                Some(b) => load(ub, b, extent, chunk, raw, lanes_b),
                None => {
                    lanes_b[..chunk.n].fill(number);
                    &lanes_b[..chunk.n]
                }
            };
            // Each repeat has as many mask bits as lanes, whichever of them take part.
            let out = &mut out[..chunk.n];
            let per = extent.per.max(1);
            let repeats = out
                .chunks_mut(per)
                .zip(from_a.chunks(per))
                .zip(from_b.chunks(per));
            for (repeat, ((out, a), b)) in repeats.enumerate() {
                let bits = &ub[mask.at + (chunk.repeat + repeat) * extent.lanes / BITS..];
                choose(out, a, b, bits);
            }
            // Elements move unchanged: the mode that saturates acts on computed results only.
            store(
                self.ub.bytes_mut(),
                dst,
                extent,
                chunk,
                raw,
                out,
                super::Overflow::InfNan,
            );
        }
        let srcs = [a.op, b.unwrap_or(a).op];
        let whole = self.ub.mask_bits[mask.at..][..bits(extent) / BITS]
            .iter()
            .fold(!0, |all, b| all & b)
            == !0;
        if whole && bits(extent).is_multiple_of(BITS) {
            poison::spread(&mut self.ub.valid, dst.op, &srcs, extent);
        } else {
            // The mask starts at `at`; bit i of it belongs to element i.
            let chosen = super::strided::Operand {
                at: mask.at,
                size: 1,
                blk: 1,
                rep: 0,
            };
            poison::spread_lanes(&mut self.ub, dst.op, &srcs, Some(chosen), extent);
        }
        Ok(())
    }
}

/// Packs eight lanes, each 0 or 1, into the bits of a byte. The product moves lane i from bit 8 i
/// to bit 56 + i.
fn packed(lanes: [u8; BITS]) -> u8 {
    (u64::from_le_bytes(lanes).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Reinterprets elements as integers of the same size.
fn words<L: Lane>(of: Typed) -> Typed {
    Typed {
        dtype: L::NATIVE,
        ..of
    }
}

/// Takes each element of `a` where its bit is 1, else of `b`.
fn choose<L: Lane>(out: &mut [L], a: &[L], b: &[L], bits: &[u8]) {
    let pick = |byte: u8, i: usize, a: L, b: L| if byte & 1 << i != 0 { a } else { b };
    let ((outs, out), (whole_a, a), (whole_b, b)) = (
        out.as_chunks_mut::<BITS>(),
        a.as_chunks::<BITS>(),
        b.as_chunks::<BITS>(),
    );
    for (((out, a), b), byte) in outs.iter_mut().zip(whole_a).zip(whole_b).zip(bits) {
        *out = std::array::from_fn(|i| pick(*byte, i, a[i], b[i]));
    }
    for (i, ((out, a), b)) in out.iter_mut().zip(a).zip(b).enumerate() {
        *out = pick(bits[whole_a.len()], i, *a, *b);
    }
}

/// Returns the number of mask bits up to that of the last element.
fn bits(extent: Extent) -> usize {
    match extent.repeats() {
        0 => 0,
        repeats => (repeats - 1) * extent.lanes + extent.lanes_of(repeats - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_lanes_are_the_bits_of_a_byte() {
        for byte in 0..=u8::MAX {
            assert_eq!(packed(std::array::from_fn(|i| byte >> i & 1)), byte);
        }
    }
}
