//! The layout of a vector call's operands: repeats of eight data blocks with strides, or one dense
//! range.
//!
//! The executor works on *compact* chunks: elements of consecutive repeats side by side. This file
//! converts an operand to a compact chunk and back. Dense operands are not copied where their
//! storage type is the type of computation.

use super::memory::DATA_BLOCK;

/// The elements of a chunk: four scratch buffers of this length stay in the first-level cache.
pub(super) const CHUNK: usize = 1024;

/// The elements that a call computes: `n` in all, `per` of the `lanes` of each repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// The lanes of a whole repeat, given by the widest operand.
    pub lanes: usize,
    /// The lanes computed in each repeat; the last repeat may have fewer.
    pub per: usize,
    /// The number of all elements.
    pub n: usize,
    /// The lanes of a repeat that take part, unless they are the first `per`.
    pub gaps: Option<u128>,
    /// The number of repeats, stored because a division is a large part of a call on a short row.
    repeats: usize,
}

impl Extent {
    /// Makes an extent of the first `n` elements.
    pub fn count(n: usize, lanes: usize) -> Self {
        Extent::masked(n, lanes, lanes)
    }
    /// Makes an extent of `n` elements, `per` of each repeat.
    pub fn masked(n: usize, per: usize, lanes: usize) -> Self {
        let repeats = match per {
            0 => 0,
            per if n <= per => usize::from(n > 0),
            per => n.div_ceil(per),
        };
        Extent {
            lanes,
            per,
            n,
            gaps: None,
            repeats,
        }
    }
    /// Makes an extent of `repeats` repeats of the lanes whose bits are set.
    pub fn lanes_set(bits: u128, repeats: usize, lanes: usize) -> Self {
        let per = (u128::BITS - bits.leading_zeros()) as usize;
        let contiguous = bits.trailing_ones() as usize == per;
        let gaps = if contiguous { None } else { Some(bits) };
        Extent {
            gaps,
            ..Extent::masked(per.saturating_mul(repeats), per, lanes)
        }
    }
    /// True if a lane takes part; lanes beyond the last repeat's end are not asked for.
    pub fn takes(self, lane: usize) -> bool {
        self.gaps.is_none_or(|bits| bits >> lane & 1 == 1)
    }
    pub fn repeats(self) -> usize {
        self.repeats
    }
    /// Returns the lanes computed in a repeat.
    pub fn lanes_of(self, repeat: usize) -> usize {
        self.per.min(self.n - repeat * self.per)
    }
    /// Returns the repeats of a chunk.
    fn chunk_repeats(self) -> usize {
        (CHUNK / self.per.max(1)).max(1)
    }
    /// Iterates over the chunks in order.
    pub fn chunks(self) -> impl Iterator<Item = Chunk> {
        let step = self.chunk_repeats();
        (0..self.repeats()).step_by(step).map(move |repeat| {
            let from = repeat * self.per;
            Chunk {
                repeat,
                from,
                n: (step * self.per).min(self.n - from),
            }
        })
    }
}

/// Consecutive repeats that are computed together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk {
    pub repeat: usize,
    /// The number of elements before it.
    pub from: usize,
    /// The number of its elements, at most [`CHUNK`].
    pub n: usize,
}

/// The data blocks of a repeat.
pub(super) const BLOCKS_PER_REPEAT: i64 = 8;

/// The layout of an operand; strides in data blocks, start to start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operand {
    /// The byte address in UB, a multiple of the data block.
    pub at: usize,
    /// The bytes of an element.
    pub size: usize,
    /// The stride from block to block of one repeat.
    pub blk: usize,
    /// The stride from repeat to repeat.
    pub rep: usize,
}

impl Operand {
    /// Makes a contiguous operand of repeats of `lanes` lanes.
    pub fn dense(at: usize, size: usize, lanes: usize) -> Self {
        Operand {
            at,
            size,
            blk: 1,
            rep: lanes * size / DATA_BLOCK,
        }
    }
    /// True if the elements of `extent` are one contiguous run.
    pub fn is_dense(self, extent: Extent) -> bool {
        if extent.gaps.is_some() {
            return false;
        }
        let one_repeat = extent.n <= extent.per;
        let one_block = one_repeat && extent.n * self.size <= DATA_BLOCK;
        let follows =
            extent.per == extent.lanes && self.rep * DATA_BLOCK == extent.lanes * self.size;
        one_block || (self.blk == 1 && (one_repeat || follows))
    }
    /// True if both have the same elements in the same order.
    pub fn is_laid_out_like(self, other: Operand, extent: Extent) -> bool {
        let one_block = extent.per * self.size <= DATA_BLOCK;
        let strides = (self.blk == other.blk || one_block)
            && (self.rep == other.rep || extent.repeats() <= 1);
        (self.at, self.size) == (other.at, other.size)
            && (strides || self.is_dense(extent) && other.is_dense(extent))
    }
    /// True if a later repeat shares a data block with an earlier one.
    pub fn meets_later(self, extent: Extent) -> bool {
        let used = (extent.per * self.size).div_ceil(DATA_BLOCK);
        if extent.repeats() <= 1 || used == 0 || self.rep > (used - 1) * self.blk {
            return false;
        }
        (1..extent.repeats())
            .any(|later| (0..used).any(|block| later * self.rep == block * self.blk))
    }
    /// Returns the byte address of an element.
    pub fn address(self, repeat: usize, lane: usize) -> usize {
        let byte = lane * self.size;
        self.at
            + DATA_BLOCK * (repeat * self.rep + byte / DATA_BLOCK * self.blk)
            + byte % DATA_BLOCK
    }
    /// Returns the bytes from the start to the end of the last byte touched.
    pub fn span(self, extent: Extent) -> usize {
        if extent.n == 0 {
            return 0;
        }
        if self.is_dense(extent) {
            return extent.n * self.size;
        }
        let end = |repeat: usize| {
            let bytes = extent.lanes_of(repeat) * self.size;
            let blocks = bytes.div_ceil(DATA_BLOCK);
            let in_last = bytes - (blocks - 1) * DATA_BLOCK;
            // Earlier blocks are full, so with a block stride of 0 the longest one decides.
            let tail = if self.blk == 0 && blocks > 1 {
                DATA_BLOCK
            } else {
                in_last
            };
            DATA_BLOCK * (repeat * self.rep + (blocks - 1) * self.blk) + tail
        };
        let last = extent.repeats() - 1;
        end(last).max(end(last.saturating_sub(1)))
    }
    /// Calls `f(byte address, byte offset in the compact chunk, bytes)` for each contiguous piece
    /// of a chunk.
    fn pieces(self, extent: Extent, chunk: Chunk, mut f: impl FnMut(usize, usize, usize)) {
        if self.is_dense(extent) {
            return f(self.at + chunk.from * self.size, 0, chunk.n * self.size);
        }
        let (mut repeat, mut offset, total) = (chunk.repeat, 0, chunk.n * self.size);
        while offset < total {
            let bytes = extent.per * self.size;
            let bytes = bytes.min(total - offset);
            let start = self.address(repeat, 0);
            if self.blk == 1 {
                f(start, offset, bytes);
            } else {
                for (block, inside) in (0..bytes).step_by(DATA_BLOCK).enumerate() {
                    f(
                        start + block * self.blk * DATA_BLOCK,
                        offset + inside,
                        DATA_BLOCK.min(bytes - inside),
                    );
                }
            }
            offset += bytes;
            repeat += 1;
        }
    }
    /// Copies a chunk to `out`, compactly.
    pub fn gather(self, ub: &[u8], extent: Extent, chunk: Chunk, out: &mut [u8]) {
        let bytes = chunk.n * self.size;
        if self.blk == 0 && self.rep == 0 && (extent.per * self.size).is_multiple_of(DATA_BLOCK) {
            // All blocks are one, the form of a row broadcast.
            let block: [u8; DATA_BLOCK] = std::array::from_fn(|i| ub[self.at + i]);
            let mut whole = out[..bytes].chunks_exact_mut(DATA_BLOCK);
            whole.by_ref().for_each(|c| c.copy_from_slice(&block));
            let rest = whole.into_remainder();
            rest.copy_from_slice(&block[..rest.len()]);
            return;
        }
        self.pieces(extent, chunk, |at, offset, len| {
            out[offset..offset + len].copy_from_slice(&ub[at..at + len])
        });
    }
    /// Copies a compact chunk to its place.
    pub fn scatter(self, ub: &mut [u8], extent: Extent, chunk: Chunk, from: &[u8]) {
        if extent.gaps.is_some() {
            for (i, element) in from[..chunk.n * self.size]
                .chunks_exact(self.size)
                .enumerate()
            {
                let (repeat, lane) = (chunk.repeat + i / extent.per, i % extent.per);
                if extent.takes(lane) {
                    ub[self.address(repeat, lane)..][..self.size].copy_from_slice(element);
                }
            }
            return;
        }
        self.pieces(extent, chunk, |at, offset, len| {
            ub[at..at + len].copy_from_slice(&from[offset..offset + len])
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gather_and_scatter_follow_the_address_formula() {
        let ub: Vec<u8> = (0..8192u32).map(|i| (i * 7 % 256) as u8).collect();
        for (blk, rep, per, n) in [
            (1, 8, 64, 150),
            (2, 16, 64, 200),
            (0, 1, 64, 130),
            (0, 0, 64, 140),
            (1, 9, 13, 39),
            (3, 1, 20, 60),
            (1, 9, 1, 5),
        ] {
            let op = Operand {
                at: 64,
                size: 4,
                blk,
                rep,
            };
            let extent = Extent::masked(n, per, 64);
            let mut span = 0;
            for chunk in extent.chunks() {
                let mut out = vec![0; chunk.n * 4];
                op.gather(&ub, extent, chunk, &mut out);
                for i in 0..chunk.n {
                    let at = op.address(chunk.repeat + i / per, i % per);
                    assert_eq!(
                        out[i * 4..][..4],
                        ub[at..][..4],
                        "blk {blk} rep {rep} per {per}, element {i}"
                    );
                    span = span.max(at + 4 - op.at);
                }
                if blk > 0 && rep >= 8 {
                    let mut back = ub.clone();
                    op.scatter(&mut back, extent, chunk, &out);
                    assert_eq!(back, ub);
                }
            }
            assert_eq!(op.span(extent), span, "blk {blk} rep {rep} per {per}");
        }
    }

    #[test]
    fn a_single_short_repeat_is_dense_whatever_its_repeat_stride() {
        let op = Operand {
            at: 0,
            size: 2,
            blk: 1,
            rep: 0,
        };
        assert!(op.is_dense(Extent::count(100, 128)));
        assert!(!op.is_dense(Extent::count(200, 128)));
    }
}
