//! Bounds and alignment of what a queue-level kernel says itself. Tile loops are right by construction.

use super::facts::Facts;
use crate::diag::{Code, Diagnostic};
use crate::dtype::DType;
use crate::ir::{Kernel, ParamId, Scalar, SpanId, Stmt, StmtKind, TensorId, VarId, View};
use crate::ops::{CopyOp, Op};
use crate::soc::Chip;
use std::collections::BTreeMap;

/// Checks copies, sub-tensors and counts.
pub(super) fn check_bounds(kernel: &Kernel, binding: &[DType], chip: &Chip, found: &mut Vec<Diagnostic>) {
    let facts = Facts::new(&kernel.sig, &kernel.body);
    let mut b = Bounds { kernel, binding, chip, found, facts, bytes: BTreeMap::new() };
    b.statements(&kernel.body.stmts);
}

pub(super) struct Bounds<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) binding: &'a [DType],
    pub(super) chip: &'a Chip,
    pub(super) found: &'a mut Vec<Diagnostic>,
    pub(super) facts: Facts,
    /// Bytes of the block behind each tensor.
    pub(super) bytes: BTreeMap<TensorId, Scalar>,
}

impl Bounds<'_> {
    pub(super) fn sized(&self, s: &Scalar) -> Scalar {
        s.replace(&|n| crate::lower::size_of(n, self.binding))
    }

    pub(super) fn size(&self, t: TensorId) -> i64 {
        self.kernel.body.tensors[t.index()].dtype.resolve(self.binding).bytes()
    }

    fn statements(&mut self, stmts: &[Stmt]) {
        for s in stmts {
            self.statement(s);
        }
    }

    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::LetScalar { var, value } => {
                let value = self.sized(value);
                self.facts.define(*var, &value);
            }
            StmtKind::Split { start, len, total, unit, .. } => self.split(*start, *len, total, unit),
            StmtKind::FitTile { var, unit } => {
                let unit = self.constant(unit);
                self.facts.unit(*var, unit, unit);
            }
            StmtKind::For { var, from, to, body } => {
                let mark = self.facts.mark();
                let (from, to) = (self.sized(from), self.sized(to));
                self.facts.runs(*var, &from, &to);
                self.statements(body);
                self.facts.back(mark);
            }
            StmtKind::If { cond, then, other } => {
                let (mark, cond) = (self.facts.mark(), self.sized(cond));
                self.facts.assume(&cond);
                self.statements(then);
                self.facts.back(mark);
                let mark = self.facts.mark();
                self.facts.assume_not(&cond);
                self.statements(other);
                self.facts.back(mark);
            }
            StmtKind::Alloc { tensor, queue } | StmtKind::Deque { tensor, queue } => {
                let bytes = self.sized(&self.kernel.body.queues[queue.index()].bytes);
                self.bytes.insert(*tensor, bytes);
            }
            StmtKind::Get { tensor, buf } => {
                let bytes = self.sized(&self.kernel.body.bufs[buf.index()].bytes);
                self.bytes.insert(*tensor, bytes);
            }
            StmtKind::Instr { instr } => self.instr(instr, s.span),
            // These touch no elements.
            StmtKind::SetScalar { .. }
            | StmtKind::Enque { .. }
            | StmtKind::Free { .. }
            | StmtKind::View { .. }
            // Statements of the tile dialect are right by construction.
            | StmtKind::Loop { .. }
            | StmtKind::Def { .. }
            | StmtKind::Set { .. }
            | StmtKind::Store { .. } => {}
        }
    }

    /// A unit that is known here, at least 1. One that is not is J0305, and proofs take it as 1.
    fn constant(&self, unit: &Scalar) -> i64 {
        self.facts.inline(&self.sized(unit)).as_int().filter(|n| *n >= 1).map_or(1, |n| n)
    }

    fn split(&mut self, start: VarId, len: VarId, total: &Scalar, unit: &Scalar) {
        let (total, unit) = (self.sized(total), self.constant(unit));
        // Only the last share may be ragged, and only where the total is.
        let whole = self.facts.multiple_of(&total) % unit == 0;
        self.facts.unit(start, 0, unit);
        self.facts.unit(len, 0, if whole { unit } else { 1 });
        self.facts.at_most(start, &total);
        self.facts.at_most(len, &(total - start));
    }

    /// J0306 for a DataCopy of what is not known to fill whole data blocks.
    pub(super) fn whole_blocks(&mut self, op: Op, n: &Scalar, size: i64, span: SpanId) {
        let block = self.chip.data_block_bytes;
        let pads = match op {
            Op::Copy(CopyOp::InPad | CopyOp::OutPad) => true,
            Op::Copy(CopyOp::In | CopyOp::Out) => false,
            _ => return,
        };
        if pads || self.facts.multiple_of(&(n.clone() * size)) % block == 0 {
            return;
        }
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

    /// J0308 and J0602 for `n` elements of a `GlobalTensor`.
    pub(super) fn gm(&mut self, param: ParamId, view: &View, n: &Scalar, span: SpanId) {
        let len = self.kernel.sig.elements(param);
        let param = self.kernel.sig.param(param);
        let offset = self.sized(&view.offset);
        let end = offset.clone() + n.clone();
        let text = if self.below_zero(&offset) {
            format!("this begins before the start of `{}`{}", param.name, self.known(&offset))
        } else if self.below_zero(n) {
            format!("the length of this part of `{}` is negative{}", param.name, self.known(n))
        } else if self.facts.proves_le(&(len.clone() + 1), &end) {
            format!("this reaches past the end of `{}`{}", param.name, self.past(&end, &len))
        } else {
            if !(self.facts.proves_le(&end, &len) && self.not_negative(&offset, n)) {
                let text = format!("it could not be proved that this stays inside `{}`", param.name);
                let help = "`n = tile.min(share.len() - i * tile)` is provable; the simulator checks every run";
                self.found.push(Diagnostic::new(Code::J0602, span, text).help(help));
            }
            return;
        };
        self.found.push(Diagnostic::new(Code::J0308, span, text).label(param.span, "declared here"));
    }

    pub(super) fn below_zero(&self, s: &Scalar) -> bool {
        self.facts.proves_le(s, &Scalar::Int(-1))
    }

    pub(super) fn not_negative(&self, offset: &Scalar, n: &Scalar) -> bool {
        [offset, n].iter().all(|s| self.facts.proves_le(&Scalar::Int(0), s))
    }

    /// `: -8`, where the number is known.
    pub(super) fn known(&self, s: &Scalar) -> String {
        self.facts.inline(s).as_int().map_or_else(String::new, |n| format!(": {n}"))
    }

    fn past(&self, end: &Scalar, len: &Scalar) -> String {
        match (self.facts.inline(end).as_int(), self.facts.inline(len).as_int()) {
            (Some(end), Some(len)) => format!(": up to element {end}, there are {len}"),
            _ => String::new(),
        }
    }
}
