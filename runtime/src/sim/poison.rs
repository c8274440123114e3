//! Poison: bytes of UB that nobody has written, or that only a copy's filler has.
//!
//! Poison spreads silently through element-wise ops. It is an error in a reduction, a copy to GM
//! and a scalar read. The bits of a data block are one word, and vector operands start at data
//! blocks, so spreading is usually an AND of words. A partly valid element counts as poison where
//! it is read.

use super::memory::{Ub, DATA_BLOCK};
use super::strided::{Extent, Operand};

/// Returns a word with the low `bytes` bits set.
pub(super) const fn low(bytes: usize) -> u32 {
    if bytes >= DATA_BLOCK {
        !0
    } else {
        (1 << bytes) - 1
    }
}

/// Marks `len` bytes from `at` on as valid or as poison.
pub(super) fn mark(valid: &mut [u32], at: usize, len: usize, ok: bool) {
    let (mut at, end) = (at, at + len);
    let mut put = |word: usize, bits: u32| {
        valid[word] = if ok {
            valid[word] | bits
        } else {
            valid[word] & !bits
        };
    };
    if at % DATA_BLOCK != 0 && at < end {
        let inside = at % DATA_BLOCK;
        let here = (DATA_BLOCK - inside).min(end - at);
        put(at / DATA_BLOCK, low(here) << inside);
        at += here;
    }
    if at >= end {
        return;
    }
    let (first, last) = (at / DATA_BLOCK, end / DATA_BLOCK);
    if end % DATA_BLOCK != 0 {
        put(last, low(end % DATA_BLOCK));
    }
    valid[first..last].fill(if ok { !0 } else { 0 });
}

/// Finds the offset of the first poisoned byte of `len` bytes from `at` on.
pub(super) fn first(valid: &[u32], at: usize, len: usize) -> Option<usize> {
    if len == 0 {
        return None;
    }
    let end = at + len;
    let (from, to) = (at / DATA_BLOCK, (end - 1) / DATA_BLOCK);
    let bits = |word: usize| {
        let mut bits = !valid[word];
        if word == from {
            bits &= !low(at % DATA_BLOCK);
        }
        if word == to {
            bits &= low(end - word * DATA_BLOCK);
        }
        bits
    };
    // A fold without early exit is vectorised; the search runs only once poison was found.
    let inner = if to > from + 1 {
        valid[from + 1..to].iter().fold(!0, |all, w| all & w)
    } else {
        !0
    };
    if bits(from) == 0 && bits(to) == 0 && inner == !0 {
        return None;
    }
    (from..=to)
        .find(|w| bits(*w) != 0)
        .map(|w| w * DATA_BLOCK + bits(w).trailing_zeros() as usize - at)
}

/// Sets the valid bits of `dst` to the AND of those of `srcs`, all of one element size; without
/// sources, all valid.
pub(super) fn spread(valid: &mut [u32], dst: Operand, srcs: &[Operand], extent: Extent) {
    if dst.is_dense(extent) && srcs.iter().all(|s| s.is_dense(extent)) {
        let bytes = extent.n * dst.size;
        if srcs.is_empty() {
            mark(valid, dst.at, bytes, true);
            return;
        }
        let mut words = [0u32; 64];
        let (blocks, mut done) = (bytes.div_ceil(DATA_BLOCK), 0);
        while done < blocks {
            let step = words.len().min(blocks - done);
            let words = &mut words[..step];
            for (i, src) in srcs.iter().enumerate() {
                let from = &valid[src.at / DATA_BLOCK + done..][..step];
                if i == 0 {
                    words.copy_from_slice(from);
                } else {
                    words.iter_mut().zip(from).for_each(|(w, f)| *w &= f);
                }
            }
            let to = &mut valid[dst.at / DATA_BLOCK + done..][..step];
            if done + step == blocks && !bytes.is_multiple_of(DATA_BLOCK) {
                let written = low(bytes % DATA_BLOCK);
                words[step - 1] = (words[step - 1] & written) | (to[step - 1] & !written);
            }
            to.copy_from_slice(words);
            done += step;
        }
        return;
    }
    for repeat in 0..extent.repeats() {
        let bytes = extent.lanes_of(repeat) * dst.size;
        for block in 0..bytes.div_ceil(DATA_BLOCK) {
            let taken = taken(extent, block * DATA_BLOCK / dst.size, dst.size);
            let word = |o: &Operand| (o.at / DATA_BLOCK) + repeat * o.rep + block * o.blk;
            let all = srcs.iter().fold(!0, |all, s| all & valid[word(s)]);
            let written = low(bytes - block * DATA_BLOCK) & taken;
            let to = &mut valid[word(&dst)];
            *to = (all & written) | (*to & !written);
        }
    }
}

/// Returns the bytes of the data block from `lane` on whose elements take part.
fn taken(extent: Extent, lane: usize, size: usize) -> u32 {
    match extent.gaps {
        None => !0,
        Some(_) => (0..DATA_BLOCK / size)
            .filter(|i| extent.takes(lane + i))
            .fold(0, |all, i| all | low(size) << (i * size)),
    }
}

/// True if every element of an operand is valid. May be false where only bytes between its
/// elements are poison.
pub(super) fn clean(valid: &[u32], operand: Operand, extent: Extent) -> bool {
    first(valid, operand.at, operand.span(extent)).is_none()
}

/// True if every byte of the element at byte `at` is valid.
pub(super) fn element(valid: &[u32], at: usize, size: usize) -> bool {
    let bits = low(size) << (at % DATA_BLOCK);
    valid[at / DATA_BLOCK] & bits == bits
}

/// As [`spread`], lane by lane, for operands of different sizes and for sources that are mask bits.
/// Each repeat has as many mask bits as lanes.
pub(super) fn spread_lanes(
    ub: &mut Ub,
    dst: Operand,
    srcs: &[Operand],
    mask: Option<Operand>,
    extent: Extent,
) {
    for repeat in 0..extent.repeats() {
        for lane in (0..extent.lanes_of(repeat)).filter(|lane| extent.takes(*lane)) {
            let ok = srcs
                .iter()
                .all(|s| element(&ub.valid, s.address(repeat, lane), s.size))
                && mask.is_none_or(|m| {
                    let bit = repeat * extent.lanes + lane;
                    ub.mask_bits[m.at + bit / 8] >> (bit % 8) & 1 == 1
                });
            mark(&mut ub.valid, dst.address(repeat, lane), dst.size, ok);
        }
    }
}

/// As [`spread`], for one dense source whose elements have half or twice the size of the
/// destination's. `before` has the source's validity; the two may share memory.
pub(super) fn spread_resized(
    valid: &mut [u32],
    dst: Operand,
    before: &[u32],
    src: Operand,
    extent: Extent,
) {
    let bytes = extent.n * dst.size;
    for block in 0..bytes.div_ceil(DATA_BLOCK) {
        let bits = if dst.size > src.size {
            // One source block fills two: this one takes its lower or its upper half.
            let half = before[src.at / DATA_BLOCK + block / 2] >> (block % 2 * DATA_BLOCK / 2);
            widen(half & low(DATA_BLOCK / 2), src.size)
        } else {
            let from = src.at / DATA_BLOCK + 2 * block;
            let upper = if 2 * block + 1 < (extent.n * src.size).div_ceil(DATA_BLOCK) {
                before[from + 1]
            } else {
                0
            };
            narrow(before[from], src.size) | narrow(upper, src.size) << (DATA_BLOCK / 2)
        };
        let written = low(bytes - block * DATA_BLOCK);
        let to = &mut valid[dst.at / DATA_BLOCK + block];
        *to = (bits & written) | (*to & !written);
    }
}

/// Converts the bits of the half block `bits`, of elements of `size` bytes, to those of a block
/// with elements twice as large.
fn widen(bits: u32, size: usize) -> u32 {
    match bits {
        0 => 0,
        b if b == low(DATA_BLOCK / 2) => !0,
        _ => (0..DATA_BLOCK / 2 / size)
            .filter(|i| bits >> (i * size) & low(size) == low(size))
            .fold(0, |all, i| all | low(2 * size) << (2 * i * size)),
    }
}

/// Converts the bits of the block `bits`, of elements of `size` bytes, to those of a half block
/// with elements half as large.
fn narrow(bits: u32, size: usize) -> u32 {
    match bits {
        0 => 0,
        u32::MAX => low(DATA_BLOCK / 2),
        _ => (0..DATA_BLOCK / size)
            .filter(|i| bits >> (i * size) & low(size) == low(size))
            .fold(0, |all, i| all | low(size / 2) << (i * size / 2)),
    }
}

/// Marks every element of an operand as valid.
pub(super) fn bless(valid: &mut [u32], dst: Operand, extent: Extent) {
    spread(valid, dst, &[], extent);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_searches_by_byte() {
        let mut valid = vec![0u32; 8];
        mark(&mut valid, 30, 70, true);
        assert_eq!(first(&valid, 30, 70), None);
        assert_eq!(first(&valid, 29, 4), Some(0));
        assert_eq!(first(&valid, 40, 64), Some(60));
        mark(&mut valid, 64, 32, false);
        assert_eq!(first(&valid, 30, 70), Some(34));
        assert!(element(&valid, 96, 4) && !element(&valid, 98, 4));
        mark(&mut valid, 5, 0, true);
        assert_eq!(valid[0], 0b11 << 30);
    }

    #[test]
    fn resizing_agrees_with_lane_by_lane() {
        for (from, to) in [(2usize, 4usize), (4, 2)] {
            for n in [1usize, 7, 8, 15, 16, 17, 40, 64] {
                let mut a = Ub::new(1024, false);
                mark(&mut a.valid, 0, n * from, true);
                mark(&mut a.valid, n * from / 2, 3, false);
                mark(&mut a.valid, 512 + n * to, 5, true);
                let mut b = Ub::new(1024, false);
                b.valid.copy_from_slice(&a.valid);
                let extent = Extent::count(n, 64);
                let (dst, src) = (Operand::dense(512, to, 64), Operand::dense(0, from, 64));
                let before = a.valid.clone();
                spread_resized(&mut a.valid, dst, &before, src, extent);
                spread_lanes(&mut b, dst, &[src], None, extent);
                assert_eq!(a.valid, b.valid, "{from} to {to}, {n} elements");
            }
        }
    }

    #[test]
    fn dense_spreading_is_the_and_and_keeps_what_lies_behind() {
        let mut valid = vec![0u32; 12];
        mark(&mut valid, 0, 128, true);
        mark(&mut valid, 128, 128, true);
        mark(&mut valid, 4, 4, false);
        mark(&mut valid, 136, 4, false);
        mark(&mut valid, 256 + 40, 4, true);
        let extent = Extent::count(9, 64);
        let op = |at| Operand::dense(at, 4, 64);
        spread(&mut valid, op(256), &[op(0), op(128)], extent);
        assert_eq!(valid[8], !0xff0);
        assert_eq!(valid[9], 0xf | 0xf00);
    }
}
