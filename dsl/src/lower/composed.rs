//! Compares and choices that the chip does not have of an element type, made of those that it has; every step is exact.
//!
//! - `bf16` is compared and chosen as `f32`, which holds each of its numbers.
//! - Of whole numbers architecture 2201 asks for equality alone: `a >= b` is that the larger of both is `a`, `a <= b` that the smaller is.
//!   The others are what these are not (`Not`).
//! - A choice between whole numbers is `a * m + b * (1 - m)`, where `m` is the bit as a number: one of the products is 0 and the other one of the
//!   numbers, so that nothing leaves the type, in the mode that saturates too.

use super::derived::{compare, select, value, Rewrite};
use super::{Gap, Made};
use crate::dtype::{DType, RoundMode};
use crate::ir::{Axes, Operand, Scalar, TileExpr, Ty, ValueId};
use crate::ops::{BinaryOp, CompareOp, MaskOp, Op};

const WHOLE: Ty = Ty::Is(DType::I32);
const WIDE: Ty = Ty::Is(DType::F32);

fn binary(op: BinaryOp, a: Operand, b: Operand) -> TileExpr {
    TileExpr::Op { op: Op::Binary(op), args: vec![a, b] }
}

impl Rewrite<'_> {
    fn ty(&self, v: ValueId) -> Ty {
        self.body.values[v.index()].dtype
    }

    /// A compare that is made of others; `None` for one that the chip has.
    pub(super) fn compared(&mut self, to: ValueId, op: CompareOp, args: &[Operand]) -> Made<Option<TileExpr>> {
        let [Operand::Value { value: a }, b] = args else { return Ok(None) };
        let ty = self.ty(*a);
        if !self.binding.is_composed(Op::Compare(op), ty) {
            return Ok(None);
        }
        if !self.binding.is(ty, DType::I32) {
            let a = self.widened(to, &value(*a), ty);
            let b = self.widened(to, b, ty);
            return Ok(Some(compare(op, a, value(b))));
        }
        let axes = self.axes(to);
        let same = |this: &mut Self, step: BinaryOp| {
            let end = this.def(to, "end", (ty, axes.clone()), binary(step, value(*a), b.clone()));
            compare(CompareOp::Eq, end, value(*a))
        };
        Ok(Some(match op {
            CompareOp::Eq => compare(CompareOp::Eq, *a, b.clone()),
            CompareOp::Ge => same(self, BinaryOp::Max),
            CompareOp::Le => same(self, BinaryOp::Min),
            CompareOp::Lt => {
                let opposite = same(self, BinaryOp::Max);
                self.opposite(to, opposite)
            }
            CompareOp::Gt => {
                let opposite = same(self, BinaryOp::Min);
                self.opposite(to, opposite)
            }
            CompareOp::Ne => self.opposite(to, compare(CompareOp::Eq, *a, b.clone())),
        }))
    }

    /// The mask that is 1 where another one is 0.
    pub(super) fn opposite(&mut self, to: ValueId, mask: TileExpr) -> TileExpr {
        let mask = self.def(to, "opposite", (Ty::Mask, self.axes(to)), mask);
        TileExpr::Op { op: MaskOp::Not.into(), args: vec![value(mask)] }
    }

    /// An operand in `f32`; a number is rounded to its own type first.
    fn widened(&mut self, to: ValueId, operand: &Operand, ty: Ty) -> ValueId {
        let from = match operand {
            Operand::Value { value } => *value,
            Operand::Scalar { value } => self.def(to, "number", (ty, self.axes(to)), TileExpr::Fill { value: value.clone() }),
        };
        let axes = self.axes(from);
        self.def(to, "wide", (WIDE, axes), TileExpr::Cast { value: from, mode: None })
    }

    /// A choice that no instruction makes.
    pub(super) fn choice(&mut self, to: ValueId, mask: ValueId, choices: &[Operand]) -> Made<TileExpr> {
        let ([first, second], ty, axes) = (choices, self.ty(to), self.axes(to)) else {
            return Err(Gap::new("a choice between other than two", self.span));
        };
        if !self.binding.is(ty, DType::I32) {
            let (a, b) = (self.widened(to, first, ty), self.widened(to, second, ty));
            let chosen = self.def(to, "chosen", (WIDE, axes), select(mask, a, value(b)));
            return Ok(TileExpr::Cast { value: chosen, mode: Some(RoundMode::Rint) });
        }
        let bits = self.bits(to, mask);
        let own = |this: &mut Self, what: &str, axes: &Axes, expr: TileExpr| this.def(to, what, (WHOLE, axes.clone()), expr);
        let bit = own(self, "bit", &axes, TileExpr::Cast { value: bits, mode: Some(RoundMode::Rint) });
        let scalar = |n: i32| Operand::Scalar { value: Scalar::I32(n) };
        let minus = own(self, "minus", &axes, binary(BinaryOp::Mul, value(bit), scalar(-1)));
        let other = own(self, "other", &axes, binary(BinaryOp::Add, value(minus), scalar(1)));
        let left = own(self, "first", &axes, binary(BinaryOp::Mul, value(bit), first.clone()));
        let right = own(self, "second", &axes, binary(BinaryOp::Mul, value(other), second.clone()));
        Ok(binary(BinaryOp::Add, value(left), value(right)))
    }
}
