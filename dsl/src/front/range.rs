//! Ranges: `tiles(a..b)`, `each(a..b)`, also in products.
//!
//! A range is an axis of its own, of `b - a` indices or none, which is aligned with no other. Its indices count from `a` wherever the author
//! sees one: as an index of a tensor, which is held to bounds alone, as `t.start()`, in `t.iota()` and in places. In the IR it is a whole axis
//! like any other, whose indices count from 0: what an index has besides is part of its offset.

use super::cx::Cx;
use super::scope::{Part, Range, Val};
use crate::diag::Code;
use crate::ir::linear::tidied;
use crate::ir::{AxFrom, AxId, BinOp, Operand, RunSize, Scalar, ScalarTy, SpanId, TileExpr};
use crate::ops::{BinaryOp, Op};
use syn::{Expr, ExprRange, RangeLimits};

impl Cx<'_> {
    /// `a..b`.
    pub fn range(&mut self, r: &ExprRange, e: &Expr) -> Val {
        let (Some(from), Some(to)) = (&r.start, &r.end) else { return self.refuse(e) };
        let ends = [from, to].map(|end| (self.expr(end), &**end));
        if !matches!(r.limits, RangeLimits::HalfOpen(_)) {
            return self.unsupported(e, "a closed range", "write the end after the last index: `a..b + 1`");
        }
        let [from, to] = ends.each_ref().map(|arg| self.index_arg(arg, "an end of a range"));
        match (from, to) {
            (Some(from), Some(to)) => Val::Range(Box::new(Range { from, to })),
            _ => Val::Unknown,
        }
    }

    /// A range that a loop goes through.
    pub fn range_part(&mut self, range: &Range, node: &Expr) -> Option<Part> {
        if !self.host_known(&range.from.clone().max(range.to.clone()), node, "a range that a tile loop goes through") {
            return None;
        }
        let of = self.range_ax(range, node)?;
        Some(Part { of, over: None, size: RunSize::Solved {} })
    }

    /// The axis of a range whose ends the host knows.
    fn range_ax(&mut self, range: &Range, node: &Expr) -> Option<AxId> {
        let (from, to) = (self.definitions.write_out(&range.from), self.definitions.write_out(&range.to));
        if ![&from, &to].into_iter().all(super::axes::is_of_signature) {
            let d = self
                .error(Code::J0601, node, "a range is computed from more than axes, attributes and constants")
                .help("an axis has one size for all element types, and is computed in a few steps");
            self.report(d);
            return None;
        }
        let length = tidied(&(to.clone() - from.clone()));
        let extent = if self.is_certain(&from.clone().bin(BinOp::Le, to)) { length } else { length.max(0) };
        let ax = self.new_ax("range", AxFrom::Whole { extent });
        self.firsts.insert(ax, from);
        Some(ax)
    }

    /// The first index of an axis, or of the one that it is a run of, as the author counts.
    pub fn first_index(&self, ax: AxId) -> Scalar {
        self.firsts.get(&self.whole_of(ax)).cloned().unwrap_or(Scalar::Int(0))
    }

    /// Places along an axis, as the author counts.
    pub fn places_from_first(&mut self, places: Val, ax: AxId, span: SpanId) -> Val {
        let (Val::Tile(value), first) = (&places, self.first_index(ax)) else { return places };
        if first == Scalar::Int(0) {
            return places;
        }
        let args = vec![Operand::Value { value: *value }, Operand::Scalar { value: Scalar::cast(ScalarTy::I32, first) }];
        let (dtype, axes) = (self.dtype(*value), self.axes(*value).clone());
        self.def(TileExpr::Op { op: Op::Binary(BinaryOp::Add), args }, dtype, axes, span)
    }
}
