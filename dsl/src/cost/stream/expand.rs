//! Calls of functions that the emitter prints into the kernel's namespace.
//!
//! They stand here as the calls of which they consist: running sums and products, and the places of
//! the largest elements.

use super::calls::{field, last_lanes};
use super::{Begin, Done, Frame, Stop, Walk};
use crate::cost::call::Span;
use crate::cost::event::{Operand, Steps};
use crate::ir::{Instr, View};
use crate::ops::contract::{LIST, MOST_LISTS, PAIR_BYTES};
use crate::ops::ScanOp;

/// The memory of an operand, from its first byte on.
#[derive(Clone, Copy)]
enum Memory {
    /// Elements of repeats that follow one another.
    Repeats,
    /// So many bytes.
    Bytes(i64),
}

/// An operand of a call.
#[derive(Clone, Copy)]
struct Part {
    at: i64,
    /// Bytes of an element.
    size: i64,
    memory: Memory,
    writes: bool,
}

impl Part {
    fn read(at: i64, size: i64, memory: Memory) -> Part {
        Part {
            at,
            size,
            memory,
            writes: false,
        }
    }

    fn written(at: i64, size: i64, memory: Memory) -> Part {
        Part {
            writes: true,
            ..Part::read(at, size, memory)
        }
    }
}

impl<'a> Walk<'a> {
    /// Returns the places of all operands, and the bytes of an element of the source.
    fn places(&self, frame: &Frame<'a>, instr: &Instr) -> Done<([Begin; 4], i64)> {
        let views: Vec<&View> = instr.views().map(|(_, view)| view).collect();
        let [dst, src, others, work] = views[..] else {
            return Err(Stop::Malformed("operands of a function"));
        };
        let of = |view| self.place(frame, view);
        let all = [of(dst)?, of(src)?, of(others)?, of(work)?];
        Ok((all, self.size(frame, src)))
    }

    /// Adds a call of so many elements, of which a repeat has those of `size` bytes.
    fn elements(&mut self, op: &str, (elements, size): (i64, i64), parts: &[Part]) -> Done {
        let span = Span::counted(elements, self.chip.repeat_bytes / size);
        if span.repeats == 0 {
            return Ok(());
        }
        let block = self.chip.data_block_bytes;
        let mut operands = Vec::with_capacity(parts.len());
        for part in parts {
            let steps = match part.memory {
                Memory::Repeats => Steps::Blocks { blk: 1, rep: 8 },
                Memory::Bytes(bytes) => {
                    let blocks = (part.at % block + bytes + block - 1) / block;
                    Steps::Dense {
                        blocks: field(blocks, "data blocks of an operand")?,
                    }
                }
            };
            operands.push(Operand {
                at: field(part.at, "an address")?,
                steps,
                size: field(part.size, "bytes of an element")?,
                reads: !part.writes,
                writes: part.writes,
            });
        }
        self.call(op, (span, last_lanes(span)), operands)
    }

    /// A copy inside of UB.
    fn moves(&mut self, size: i64, elements: i64, [to, from]: [i64; 2]) -> Done {
        let bytes = Memory::Bytes(elements * size);
        let parts = [
            Part::written(to, size, bytes),
            Part::read(from, size, bytes),
        ];
        self.elements("DataCopy", (elements, size), &parts)
    }

    /// Running sums or products: each element is joined to the one 1, 2, 4 and so on before it.
    pub(super) fn scan(&mut self, frame: &Frame<'a>, op: ScanOp, instr: &Instr) -> Done {
        let n = instr.extent.count().ok_or(Stop::Malformed("no count"))?;
        let n = frame.whole(n)?;
        let (places, size) = self.places(frame, instr)?;
        let [dst, src, offsets, work] = places.map(|place| place.at);
        let join = match op {
            ScanOp::Sum => "Add",
            ScanOp::Prod => "Mul",
        };
        let block = self.chip.data_block_bytes / size;
        let all = (n + block - 1) / block * block;
        let (mut to, mut from) = (work, work + (all + block) * size);
        let behind = block * size;
        let written = |at| Part::written(at, size, Memory::Repeats);
        let read = |at| Part::read(at, size, Memory::Repeats);
        self.elements("Duplicate", (block, size), &[written(from)])?;
        self.moves(size, all, [from + behind, src])?;
        let mut by = 1;
        while by < n.min(block) {
            // The source goes on to the end of the work space.
            let left = places[3].end - from;
            let parts = [
                written(to),
                Part::read(from, size, Memory::Bytes(left)),
                Part::read(offsets, 4, Memory::Bytes(n * 4)),
            ];
            self.elements("Gather", (n, size), &parts)?;
            let sum = [written(from + behind), read(from + behind), read(to)];
            self.elements(join, (n, size), &sum)?;
            by *= 2;
        }
        by = block;
        while by < n {
            self.moves(size, by, [to + behind, from + behind])?;
            let far = behind + by * size;
            let sum = [written(to + far), read(from + far), read(from + behind)];
            self.elements(join, (n - by, size), &sum)?;
            (to, from) = (from, to);
            by *= 2;
        }
        self.moves(size, all, [dst, from + behind])
    }

    /// The places of the largest elements: lists of 32 are sorted, and four of them merged at a
    /// time. No more of each list is merged than is asked for.
    pub(super) fn top(&mut self, frame: &Frame<'a>, instr: &Instr) -> Done {
        let n = instr.extent.count().ok_or(Stop::Malformed("no count"))?;
        let most = instr.most().ok_or(Stop::Malformed("no number of places"))?;
        let (n, most) = (frame.whole(n)?, frame.whole(most)?);
        let (all_places, size) = self.places(frame, instr)?;
        let [dst, src, places, work] = all_places.map(|place| place.at);
        let all = (n + LIST - 1) / LIST * LIST;
        let (mut from, mut to) = (work, work + all * PAIR_BYTES);
        let scores = work + 2 * all * PAIR_BYTES;
        let written = |at| Part::written(at, size, Memory::Repeats);
        let read = |at| Part::read(at, size, Memory::Repeats);
        if n < all {
            let last = scores + (all - LIST) * size;
            self.elements("Duplicate", (LIST, size), &[written(last)])?;
        }
        self.elements("Adds", (n, size), &[written(scores), read(src)])?;
        let parts = [
            Part::written(from, size, Memory::Bytes(all * PAIR_BYTES)),
            Part::read(scores, size, Memory::Bytes(all * size)),
            Part::read(places, 4, Memory::Bytes(all * 4)),
        ];
        self.elements("Sort32", (all, size), &parts)?;
        let mut list = LIST;
        while list < all {
            let taken = list.min(most);
            let mut at = 0;
            if taken == list && all >= MOST_LISTS * list {
                let groups = all / (MOST_LISTS * list);
                self.merge(size, [to, from], list, [list; 4], groups)?;
                at = groups * MOST_LISTS * list;
            }
            while at < all {
                let left = (all - at).min(MOST_LISTS * list);
                let [to, from] = [to, from].map(|of| of + at * PAIR_BYTES);
                if left <= list {
                    let pairs = (left.min(taken) + 3) / 4 * 4;
                    self.moves(size, pairs * PAIR_BYTES / size, [to, from])?;
                } else {
                    let length = |i: i64| (left - i * list).clamp(0, taken);
                    let lengths = [length(0), length(1), length(2), length(3)];
                    self.merge(size, [to, from], list, lengths, 1)?;
                }
                at += MOST_LISTS * list;
            }
            (to, from) = (from, to);
            list *= MOST_LISTS;
        }
        let pairs = 2 * most;
        let left = all_places[0].end - dst;
        let parts = [
            Part::written(dst, 4, Memory::Bytes(left.min(pairs * 4))),
            Part::read(from, 4, Memory::Bytes(pairs * 4)),
        ];
        self.elements("GatherMask", (pairs, 4), &parts)
    }

    /// Merges groups of four lists, each `list` pairs behind the one before.
    fn merge(
        &mut self,
        size: i64,
        [to, from]: [i64; 2],
        list: i64,
        lengths: [i64; 4],
        groups: i64,
    ) -> Done {
        let total: i64 = lengths.iter().sum();
        let all = total * groups;
        let mut parts = vec![Part::written(to, size, Memory::Bytes(all * PAIR_BYTES))];
        for (i, length) in (0..).zip(lengths).filter(|(_, length)| *length > 0) {
            let pairs = (groups - 1) * total + length;
            let bytes = Memory::Bytes(pairs * PAIR_BYTES);
            parts.push(Part::read(from + i * list * PAIR_BYTES, size, bytes));
        }
        self.elements("MrgSort", (all, size), &parts)
    }
}
