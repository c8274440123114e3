//! Bounds, alignment and counts of what lies in UB: operands of copies and vector calls, and work buffers.

use super::bounds::Bounds;
use crate::diag::{Code, Diagnostic};
use crate::ir::{BinOp, Form, LocalRef, Scalar, SpanId, TensorId, Ty, VectorCall};
use crate::ops::{LayoutOp, Op, ReduceOp};
use crate::soc::Arch;

/// Whether a buffer is long enough; the bytes asked for and the bytes there are, where both are known.
enum Room {
    Fits,
    Exceeds(Option<(i64, i64)>),
    Open,
}

impl Bounds<'_> {
    pub(super) fn ub(&mut self, r: &LocalRef, n: &Scalar, whole_blocks: bool, span: SpanId) {
        let offset = self.sized(&r.offset);
        let size = self.size(r.tensor);
        let block = self.chip.data_block_bytes;
        let name = self.kernel.body.tensors[r.tensor.index()].name.clone();
        if whole_blocks && self.facts.multiple_of(&(offset.clone() * size)) % block != 0 {
            let text = match offset.as_int() {
                Some(at) => format!("`{name}` from element {at} on starts at byte {}, not at a multiple of {block}", at * size),
                None => format!("the start of this part of `{name}` cannot be proved a multiple of {block} bytes"),
            };
            let help = format!("offsets must be multiples of {} elements", block / size);
            self.found.push(Diagnostic::new(Code::J0307, span, text).help(help));
        }
        let what = if self.below_zero(&offset) {
            Some(format!("this begins before the start of the buffer of `{name}`{}", self.known(&offset)))
        } else if self.below_zero(n) {
            Some(format!("the number of elements of `{name}` is negative{}", self.known(n)))
        } else {
            None
        };
        if let Some(text) = what {
            self.found.push(Diagnostic::new(Code::J0309, span, text));
            return;
        }
        let inside = self.not_negative(&offset, n);
        let end = (offset + n.clone()) * size;
        match self.room(r.tensor, &end) {
            Room::Fits if inside => {}
            Room::Exceeds(numbers) => {
                let mut d = Diagnostic::new(Code::J0309, span, format!("this reaches past the end of the buffer of `{name}`"));
                if let Some((end, room)) = numbers {
                    d.message = format!("this reaches byte {end} of the buffer of `{name}`, which has {room}");
                    d = d.number("found", end).number("allowed", room);
                }
                self.found.push(d);
            }
            Room::Fits | Room::Open => {
                let text = format!("it could not be proved that this stays inside the buffer of `{name}`");
                self.found.push(Diagnostic::new(Code::J0602, span, text).help("the simulator checks every run"));
            }
        }
    }

    /// Whether the first `end` bytes are inside the buffer behind a tensor.
    fn room(&self, tensor: TensorId, end: &Scalar) -> Room {
        // A buffer without memory is reported as such.
        let Some(bytes) = self.bytes.get(&tensor).filter(|b| **b != Scalar::Int(0)) else { return Room::Fits };
        let room = self.facts.inline(bytes).align_up(self.chip.data_block_bytes);
        if self.facts.proves_le(end, bytes) || self.facts.proves_le(end, &room) {
            return Room::Fits;
        }
        if self.facts.proves_le(&(room.clone() + 1), end) {
            return Room::Exceeds(self.facts.inline(end).as_int().zip(room.as_int()));
        }
        Room::Open
    }

    /// The work buffer of a reduction must hold the partial results of all repeats (asc-devkit, pages of ReduceSum and
    /// ReduceMax): one element a repeat for sums, a value and an index for maxima and minima.
    fn work_buffer(&mut self, call: &VectorCall, n: &Scalar, span: SpanId) {
        let (Some(work), Op::Reduce(op)) = (&call.tmp, call.op) else { return };
        let sums = op == ReduceOp::Sum;
        // There, the count form of ReduceSum adds the repeats in order and needs no work buffer.
        if sums && self.chip.arch == Arch::V220 {
            return;
        }
        let (size, name) = (self.size(work.tensor), self.kernel.body.tensors[work.tensor.index()].name.clone());
        let repeats = n.clone().ceil_div(self.chip.repeat_bytes / size);
        let elements = repeats * if sums { 1 } else { 2 };
        let needs = (elements * size).align_up(self.chip.data_block_bytes);
        match self.room(work.tensor, &(self.sized(&work.offset) * size + needs.clone())) {
            Room::Fits => {}
            Room::Exceeds(numbers) => {
                let mut d = Diagnostic::new(Code::J0309, span, format!("the work buffer `{name}` is too small for this count"));
                if let (Some((end, room)), Some(needs)) = (numbers, self.facts.inline(&needs).as_int()) {
                    d.message = format!("this reduction needs {needs} bytes of work buffer, `{name}` has {}", room + needs - end);
                    d = d.number("found", room + needs - end).number("allowed", needs);
                }
                self.found.push(d.help(format!(
                    "it holds an element for each repeat of {} bytes, for maxima and minima two, in whole data blocks",
                    self.chip.repeat_bytes
                )));
            }
            Room::Open => {
                let text = format!("it could not be proved that the work buffer `{name}` holds what this reduction needs");
                self.found.push(Diagnostic::new(Code::J0602, span, text).help("the simulator checks every run"));
            }
        }
    }

    pub(super) fn vector(&mut self, call: &VectorCall, span: SpanId) {
        let Form::Count { n } = &call.form else { return self.brcb(call, span) };
        let n = self.sized(n);
        let is_reduce = matches!(call.op, Op::Reduce(_));
        let size = self.size(call.srcs.last().map_or(call.dst.tensor, |r| r.tensor));
        if call.op == Op::Layout(LayoutOp::LocalCopy)
            && self.facts.multiple_of(&(n.clone() * size)) % self.chip.data_block_bytes != 0
        {
            let text = format!(
                "local_copy moves whole data blocks; this count is not a multiple of {}",
                self.chip.data_block_bytes / size
            );
            self.found.push(Diagnostic::new(Code::J0310, span, text));
        }
        self.work_buffer(call, &n, span);
        let mask = |r: &LocalRef| self.kernel.body.tensors[r.tensor.index()].dtype == Ty::Mask;
        let lanes = |r: &LocalRef| if mask(r) { n.clone().ceil_div(8) } else { n.clone() };
        let written = if is_reduce { Scalar::Int(1) } else { lanes(&call.dst) };
        let mut parts = vec![(call.dst.clone(), written, !is_reduce)];
        parts.extend(call.srcs.iter().map(|r| (r.clone(), lanes(r), true)));
        for (r, n, whole) in parts {
            self.ub(&r, &n, whole, span);
        }
        // Compare computes whole repeats, so its operands must own them.
        if matches!(call.op, Op::Compare(_) | Op::CompareScalar(_)) {
            let repeat = self.chip.repeat_bytes / size;
            for r in &call.srcs {
                let rounded = n.clone().align_up(repeat);
                let Some(bytes) = self.bytes.get(&r.tensor).cloned() else { continue };
                let end = rounded * size;
                let ok = self.facts.multiple_of(&n) % repeat == 0 || self.facts.proves_le(&end, &bytes);
                let fits = self.facts.multiple_of(&bytes) % self.chip.repeat_bytes == 0;
                if !ok && !fits {
                    let text = format!(
                        "compare works on whole repeats of {repeat} elements; the buffer behind this operand does not hold them"
                    );
                    self.found.push(
                        Diagnostic::new(Code::J0310, span, text)
                            .help(format!("make the buffer a multiple of {} bytes", self.chip.repeat_bytes)),
                    );
                    break;
                }
            }
        }
    }

    fn brcb(&mut self, call: &VectorCall, span: SpanId) {
        let Form::Repeat { repeat, .. } = &call.form else { return };
        let repeat = self.sized(repeat);
        if let Scalar::Bin(BinOp::Div, n, by) = &repeat {
            let by = by.as_int().unwrap_or(1);
            if self.facts.multiple_of(n) % by != 0 {
                let text = format!("brcb expands {by} elements a repeat; this count cannot be proved a multiple of {by}");
                self.found.push(Diagnostic::new(Code::J0310, span, text));
            }
        }
        let lanes = self.chip.data_block_bytes / self.size(call.dst.tensor);
        self.ub(&call.dst, &(repeat.clone() * 8 * lanes), true, span);
        if let Some(src) = call.srcs.first() {
            self.ub(src, &(repeat * 8), true, span);
        }
    }
}
