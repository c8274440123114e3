//! Bounds and alignment of what a queue-level kernel says itself. Tile loops are right by construction.

use super::linear::Facts;
use crate::diag::{Code, Diagnostic};
use crate::dtype::DType;
use crate::ir::{BinOp, CopyShape, Form, GmRef, Kernel, LocalRef, Scalar, SpanId, Stmt, StmtKind, TensorId, Ty, VectorCall};
use crate::ops::{LayoutOp, Op};
use crate::soc::Chip;
use std::collections::BTreeMap;

/// Checks copies, sub-tensors and counts.
pub(super) fn check_bounds(kernel: &Kernel, binding: &[DType], chip: &Chip, found: &mut Vec<Diagnostic>) {
    let mut b = Bounds { kernel, binding, chip, found, facts: Facts::default(), bytes: BTreeMap::new() };
    kernel.sig.facts.iter().for_each(|fact| b.facts.assume(&fact.cond));
    b.statements(&kernel.body.stmts);
}

struct Bounds<'a> {
    kernel: &'a Kernel,
    binding: &'a [DType],
    chip: &'a Chip,
    found: &'a mut Vec<Diagnostic>,
    facts: Facts,
    /// Bytes of the block behind each tensor.
    bytes: BTreeMap<TensorId, Scalar>,
}

impl Bounds<'_> {
    fn sized(&self, s: &Scalar) -> Scalar {
        s.replace(&|n| match n {
            Scalar::SizeOf(ty) => Some(Scalar::Int(ty.resolve(self.binding).bytes())),
            _ => None,
        })
    }

    fn size(&self, t: TensorId) -> i64 {
        self.kernel.body.tensors[t.index()].dtype.resolve(self.binding).bytes()
    }

    fn statements(&mut self, stmts: &[Stmt]) {
        for s in stmts {
            self.statement(s);
        }
    }

    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::LetScalar { var, value } if !self.kernel.body.var(*var).mutable => {
                let value = self.sized(value);
                self.facts.define(*var, self.kernel.body.var(*var).ty, &value);
            }
            StmtKind::Split { start, len, total, unit, .. } => {
                let total = self.sized(total);
                self.facts.least.extend([(*start, 0), (*len, 0)]);
                let unit = self.facts.inline(&self.sized(unit)).as_int().unwrap_or(1).max(1);
                // Only the last share may be ragged, and only where the total is.
                if self.facts.multiple_of(&self.facts.inline(&total)) % unit == 0 {
                    self.facts.multiples.insert(*len, unit);
                }
                self.facts.at_most.insert(*len, total - *start);
                self.facts.multiples.insert(*start, unit);
            }
            StmtKind::FitTile { var, unit } => {
                let unit = self.facts.inline(&self.sized(unit)).as_int().unwrap_or(1);
                self.facts.least.insert(*var, unit);
                self.facts.multiples.insert(*var, unit);
            }
            StmtKind::For { var, from, body, .. } => {
                let least = self.facts.inline(from).as_int().unwrap_or(0);
                self.facts.least.insert(*var, least);
                self.statements(body);
            }
            StmtKind::If { then, other, .. } => {
                self.statements(then);
                self.statements(other);
            }
            StmtKind::Alloc { tensor, queue } | StmtKind::Deque { tensor, queue } => {
                let bytes = self.sized(&self.kernel.body.queues[queue.index()].bytes);
                self.bytes.insert(*tensor, bytes);
            }
            StmtKind::Get { tensor, buf } => {
                let bytes = self.sized(&self.kernel.body.bufs[buf.index()].bytes);
                self.bytes.insert(*tensor, bytes);
            }
            StmtKind::CopyIn { dst, src, shape, pad } => self.copy(dst, src, shape, *pad, s.span),
            StmtKind::CopyOut { dst, src, shape, pad } => self.copy(src, dst, shape, *pad, s.span),
            StmtKind::Vector { call } => self.vector(call, s.span),
            StmtKind::GetValue { src, .. } => self.ub(src, &Scalar::Int(1), false, s.span),
            StmtKind::SetValue { dst, .. } => self.ub(dst, &Scalar::Int(1), false, s.span),
            _ => {}
        }
    }

    fn copy(&mut self, local: &LocalRef, gm: &GmRef, shape: &CopyShape, pad: bool, span: SpanId) {
        let n = self.sized(&shape.cols);
        let block = self.chip.data_block_bytes;
        let size = self.size(local.tensor);
        if !pad && self.facts.multiple_of(&(n.clone() * size)) % block != 0 {
            let known = n.as_int();
            let text = match known {
                Some(n) => format!("DataCopy of {n} elements is {} bytes, not a multiple of {block}", n * size),
                None => format!("the length of this DataCopy cannot be proved a multiple of {block} bytes"),
            };
            let mut d = Diagnostic::new(Code::J0306, span, text)
                .note(format!("DataCopy rounds the length down to {block} bytes and drops the rest without a word"));
            if self.chip.has_data_copy_pad {
                d = d.help("`data_copy_pad` copies any number of elements");
            }
            if let Some(n) = known {
                d = d.number("found", n * size).number("allowed", block);
            }
            self.found.push(d);
        }
        self.ub(local, &n, true, span);
        self.gm(gm, &n, span);
    }

    fn gm(&mut self, gm: &GmRef, n: &Scalar, span: SpanId) {
        let param = self.kernel.sig.param(gm.param);
        let len = self.kernel.sig.elements(gm.param);
        let end = self.sized(&gm.offset) + n.clone();
        if self.facts.proves_le(&end, &len) {
            return;
        }
        if self.facts.proves_le(&(len + 1), &end) {
            let text = format!("this reaches past the end of `{}`", param.name);
            self.found.push(Diagnostic::new(Code::J0308, span, text).label(param.span, "declared here"));
            return;
        }
        let text = format!("it could not be proved that this stays inside `{}`", param.name);
        let help = "`n = tile.min(share.len() - i * tile)` is provable; the simulator checks every run";
        self.found.push(Diagnostic::new(Code::J0602, span, text).help(help));
    }

    fn ub(&mut self, r: &LocalRef, n: &Scalar, whole_blocks: bool, span: SpanId) {
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
        // A buffer without memory is reported as such.
        let Some(bytes) = self.bytes.get(&r.tensor).filter(|b| **b != Scalar::Int(0)).cloned() else { return };
        let end = (offset + n.clone()) * size;
        let room = self.facts.inline(&bytes).align_up(block);
        if self.facts.proves_le(&end, &bytes) || self.facts.proves_le(&end, &room) {
            return;
        }
        if self.facts.proves_le(&(room.clone() + 1), &end) {
            let mut d = Diagnostic::new(Code::J0309, span, format!("this reaches past the end of the buffer of `{name}`"));
            if let (Some(end), Some(room)) = (self.facts.inline(&end).as_int(), room.as_int()) {
                d.message = format!("this reaches byte {end} of the buffer of `{name}`, which has {room}");
                d = d.number("found", end).number("allowed", room);
            }
            self.found.push(d);
            return;
        }
        let text = format!("it could not be proved that this stays inside the buffer of `{name}`");
        self.found.push(Diagnostic::new(Code::J0602, span, text).help("the simulator checks every run"));
    }

    fn vector(&mut self, call: &VectorCall, span: SpanId) {
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
