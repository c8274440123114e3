//! Operands of one instruction that share memory: a destination over a source, or a work buffer
//! over an operand that is read.
//!
//! The op table gives the rule ([`Alias`]). A destination may be a source entirely, element for
//! element, or must be separate from it. Sources: asc-devkit, the page on overlapping operands;
//! pages of Compare, Brcb and Select for those that must be separate. The kinds of operands add
//! more:
//!
//! - One result of many elements ([`Reach::One`]) is written after all of them were read, so it may
//!   lie among them.
//! - A work buffer is written before all is read, so it must not overlap a source. The result may
//!   lie in it (asc-devkit, page of ReduceSum).
//! - With strides, a destination that is a source needs disjoint repeats: none may read what an
//!   earlier one wrote.
//! - With a count and different widths, each repeat reads all of its sources before it writes. So
//!   it is enough that no repeat reads what an earlier one wrote. Narrowing in place meets that;
//!   widening in place meets it for one repeat only (asc-devkit, page of Cast).
//!
//! A certain overlap is an error. One that is neither certain nor disproved is a lint; the
//! simulator checks the rule at run time.

use super::bounds::Bounds;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Extent, Instr, Layout, Scalar, SpanId, TensorId, View};
use crate::ops::contract::{Access, Alias, Elem, Reach, ViewRule, BLOCKS_PER_REPEAT};
use crate::soc::MAX_REPEATS;

/// The bytes of a local tensor that an operand may touch.
pub(super) struct Touched<'a> {
    rule: &'static ViewRule,
    view: &'a View,
    tensor: TensorId,
    pub start: Scalar,
    pub bytes: Scalar,
    /// Bytes of an element.
    size: i64,
}

/// The verdict on two operands.
enum Meet {
    Right,
    Wrong,
    Open,
}

impl Bounds<'_> {
    /// Reports J0311 for operands over `n` elements that share memory illegally, J0602 where that
    /// is open.
    pub(super) fn alias(&mut self, instr: &Instr, n: &Scalar, span: SpanId) {
        let used =
            |rule: &ViewRule| !matches!(rule.reach, Reach::Partials(p) if !self.works_in_buffer(p));
        let views = instr.views().filter(|(rule, _)| used(rule));
        let views: Vec<_> = views
            .filter_map(|(rule, view)| Some((rule, view, self.homes.home(view.tensor()?))))
            .collect();
        let written = views
            .iter()
            .filter(|(rule, ..)| rule.access != Access::Read && rule.reach != Reach::One);
        for (dst, src) in written.flat_map(|dst| views.iter().map(move |src| (dst, src))) {
            let is_other = src.0.access == Access::Read
                || src.0.access == Access::Scratch && dst.0.access == Access::Write;
            if !is_other || src.2 != dst.2 {
                continue;
            }
            let [Some(dst), Some(src)] =
                &[dst, src].map(|(rule, view, _)| self.part(instr, rule, view, n))
            else {
                continue;
            };
            match self.meet(instr, n, dst, src) {
                Meet::Right => {}
                Meet::Wrong => {
                    let d = Diagnostic::new(Code::J0311, span, self.shares(instr, dst, src));
                    return self
                        .found
                        .push(d.help("take another buffer, or offsets that keep them apart"));
                }
                Meet::Open => {
                    let (op, dst, src) = (
                        instr.op.name(),
                        self.tensor_name(dst.tensor),
                        self.tensor_name(src.tensor),
                    );
                    let text =
                        format!("it could not be proved that `{op}` does not write `{dst}` over what it still reads of `{src}`");
                    return self.found.push(
                        Diagnostic::new(Code::J0602, span, text)
                            .help("the simulator checks every run"),
                    );
                }
            }
        }
    }

    pub(super) fn part<'v>(
        &self,
        instr: &Instr,
        rule: &'static ViewRule,
        view: &'v View,
        n: &Scalar,
    ) -> Option<Touched<'v>> {
        let tensor = view.tensor()?;
        let size = self.size(tensor);
        let (_, start) = self.homes.start(tensor);
        let bytes = match rule.reach {
            Reach::Partials(partials) => self.partials(partials, n, size),
            // Any element may be chosen, up to the end of the buffer.
            Reach::Chosen | Reach::ChosenBlocks => {
                self.bytes.get(&tensor)?.clone() - view.offset.clone() * size
            }
            Reach::All
            | Reach::WholeRepeats
            | Reach::One
            | Reach::Blocks
            | Reach::Results(_)
            | Reach::Taken => self.touched(instr, rule, view, n, size) * size,
            Reach::Most
            | Reach::WholeLists
            | Reach::Lists
            | Reach::WholeBlocks
            | Reach::Doubled => self.touched(instr, rule, view, n, size) * size,
            Reach::Pairs | Reach::List(_) | Reach::AllLists | Reach::FourLists => {
                self.touched(instr, rule, view, n, size) * size
            }
        };
        Some(Touched {
            rule,
            view,
            tensor,
            start: start + view.offset.clone() * size,
            bytes,
            size,
        })
    }

    fn meet(&self, instr: &Instr, n: &Scalar, dst: &Touched<'_>, src: &Touched<'_>) -> Meet {
        // A mask may be combined in place, but the elements that it selects may not overlap it.
        let alike_elements = src.rule.elem != Elem::Bits || dst.rule.elem == Elem::Bits;
        let whole = instr.op.contract().alias == Alias::Whole
            && dst.rule.access == Access::Write
            && alike_elements;
        let blocks = self.chip.repeat_bytes / self.chip.data_block_bytes;
        let same = |a: &Scalar, b: &Scalar| {
            a == b || (self.facts.proves_le(a, b) && self.facts.proves_le(b, a))
        };
        let alike = || {
            self.laid_out_alike(
                instr,
                dst.view,
                src.view,
                blocks,
                self.chip.data_block_bytes / dst.size,
            )
        };
        if whole && dst.size == src.size && alike() && same(&dst.start, &src.start) {
            return self.meet_later(instr, dst.view, self.chip.data_block_bytes / dst.size);
        }
        let (dst_end, src_end) = (
            dst.start.clone() + dst.bytes.clone(),
            src.start.clone() + src.bytes.clone(),
        );
        let le = |a: &Scalar, b: &Scalar| self.facts.proves_le(a, b);
        if self
            .facts
            .proves_one([(&dst_end, &src.start), (&src_end, &dst.start)])
        {
            return Meet::Right;
        }
        let touch =
            le(&(dst.start.clone() + 1), &src_end) && le(&(src.start.clone() + 1), &dst_end);
        let touch = touch && le(&Scalar::Int(1), &dst.bytes) && le(&Scalar::Int(1), &src.bytes);
        let counted = matches!(instr.extent, Extent::Count { .. });
        match whole && counted && dst.size != src.size {
            true => self.meet_resized(n, dst, src, touch),
            false if touch => Meet::Wrong,
            false => Meet::Open,
        }
    }

    /// Judges a destination that is a source. It is correct if no repeat reads what an earlier one
    /// wrote (asc-devkit, page on overlapping operands). A data block has `lanes` elements.
    fn meet_later(&self, instr: &Instr, view: &View, lanes: i64) -> Meet {
        let Layout::Blocks { blk, rep } = &view.layout else {
            return Meet::Right;
        };
        let (repeats, used) = match &instr.extent {
            Extent::Repeat { mask, repeat } => (repeat.clone(), mask.end().ceil_div(lanes)),
            Extent::Counter { n } => (
                n.clone().ceil_div(lanes * BLOCKS_PER_REPEAT),
                Scalar::Int(BLOCKS_PER_REPEAT),
            ),
            Extent::Fixed {}
            | Extent::Count { .. }
            | Extent::Eights { .. }
            | Extent::Rows { .. } => return Meet::Right,
        };
        let le = |a: &Scalar, b: &Scalar| self.facts.proves_le(a, b);
        // For adjacent blocks, a comparison of elements is equivalent and needs no rounding.
        let elements = match &instr.extent {
            Extent::Repeat { mask, .. } if blk.as_int() == Some(1) => Some(mask.end()),
            Extent::Repeat { .. }
            | Extent::Counter { .. }
            | Extent::Fixed {}
            | Extent::Count { .. }
            | Extent::Eights { .. }
            | Extent::Rows { .. } => None,
        };
        let fits = elements.is_some_and(|n| le(&n, &(rep.clone() * lanes)));
        if fits || le(&repeats, &Scalar::Int(1)) || le(&(blk.clone() * (used.clone() - 1) + 1), rep)
        {
            return Meet::Right;
        }
        let known = [&repeats, &used, blk, rep].map(|s| self.facts.as_int(s));
        let [Some(repeats), Some(used), Some(blk), Some(rep)] = known else {
            return Meet::Open;
        };
        // Larger numbers were reported.
        let (repeats, used) = (repeats.min(MAX_REPEATS), used.min(BLOCKS_PER_REPEAT));
        let meets = (1..repeats)
            .any(|later| (0..used).any(|block| later.checked_mul(rep) == blk.checked_mul(block)));
        if meets {
            Meet::Wrong
        } else {
            Meet::Right
        }
    }

    /// Judges a call over a count whose operands have elements of different widths. After `r`
    /// repeats, the destination may be ahead of the source by the surplus that these repeats read.
    /// `touch` is true if the operands certainly share memory.
    fn meet_resized(&self, n: &Scalar, dst: &Touched<'_>, src: &Touched<'_>, touch: bool) -> Meet {
        let lanes = self.chip.repeat_bytes / dst.size.max(src.size);
        let ahead = dst.start.clone() - src.start.clone();
        // The surplus is least after the first repeat if elements shrink, and before the last if
        // they grow.
        let tightest = if src.size > dst.size {
            Scalar::Int(1)
        } else {
            n.clone().ceil_div(lanes) - 1
        };
        let room = tightest * (lanes * (src.size - dst.size));
        let le = |a: &Scalar, b: &Scalar| self.facts.proves_le(a, b);
        if le(n, &Scalar::Int(lanes)) || le(&ahead, &room) {
            return Meet::Right;
        }
        let over = le(&(room + 1), &ahead);
        match touch && over && le(&Scalar::Int(lanes + 1), n) {
            true => Meet::Wrong,
            false => Meet::Open,
        }
    }

    fn shares(&self, instr: &Instr, dst: &Touched<'_>, src: &Touched<'_>) -> String {
        let (op, d, s) = (
            instr.op.name(),
            self.tensor_name(dst.tensor),
            self.tensor_name(src.tensor),
        );
        let at = |p: &Touched<'_>| self.facts.as_int(&p.start);
        let bytes = match (at(dst), at(src)) {
            (Some(dst), Some(src)) => {
                format!(" (from byte {dst} and from byte {src} of one buffer)")
            }
            _ => String::new(),
        };
        match (dst.rule.access, instr.op.contract().alias) {
            (Access::Scratch, _) => {
                format!("the work buffer `{d}` of `{op}` lies over its source `{s}`{bytes}; they must be apart")
            }
            (_, Alias::Apart) if src.rule.access == Access::Scratch => {
                format!("`{op}` writes `{d}` over its work buffer `{s}`{bytes}; they must be apart")
            }
            (_, Alias::Apart) => {
                format!("`{op}` writes `{d}` over its source `{s}`{bytes}; they must be apart")
            }
            (_, Alias::Whole) if src.rule.elem == Elem::Bits => {
                format!("`{op}` writes `{d}` over its mask `{s}`{bytes}; they must be apart")
            }
            (_, Alias::Whole) if dst.size != src.size => {
                format!(
                    "`{op}` writes `{d}` over elements of `{s}` that a later repeat reads{bytes}"
                )
            }
            (_, Alias::Whole)
                if at(dst) == at(src)
                    && matches!(dst.view.layout, Layout::Blocks { .. })
                    && dst.view == src.view =>
            {
                format!("`{op}` writes over `{s}` what a later repeat reads{bytes}: the repeats of `{d}` lie over one another")
            }
            (_, Alias::Whole) => {
                format!("`{op}` writes `{d}` over part of its source `{s}`{bytes}; they may be the same elements or apart")
            }
        }
    }

    /// True if two views with one start have the same elements in the same order. A repeat has
    /// `blocks` data blocks of `lanes` elements.
    fn laid_out_alike(&self, instr: &Instr, a: &View, b: &View, blocks: i64, lanes: i64) -> bool {
        let strides = |v: &View| match &v.layout {
            Layout::Blocks { blk, rep } => (blk.clone(), rep.clone()),
            // Blocks and repeats are adjacent.
            Layout::Dense {} | Layout::Rows { .. } | Layout::Results { .. } => {
                (Scalar::Int(1), Scalar::Int(blocks))
            }
        };
        let ((a_blk, a_rep), (b_blk, b_rep)) = (strides(a), strides(b));
        let le = |n: &Scalar, most: i64| self.facts.proves_le(n, &Scalar::Int(most));
        match &instr.extent {
            // One repeat has no repeat stride, and one block has no block stride.
            Extent::Repeat { mask, repeat } => {
                (a_blk == b_blk || le(&mask.end(), lanes)) && (a_rep == b_rep || le(repeat, 1))
            }
            Extent::Counter { n } => {
                (a_blk == b_blk || le(n, lanes)) && (a_rep == b_rep || le(n, lanes * blocks))
            }
            // Only masks and repeats have strides.
            Extent::Fixed {}
            | Extent::Count { .. }
            | Extent::Eights { .. }
            | Extent::Rows { .. } => true,
        }
    }
}
