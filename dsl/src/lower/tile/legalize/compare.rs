//! Compares, selects, and `Max` and `Min` of element types for which the chip lacks them.
//!
//! They are made of ops that exist; every step is exact.
//!
//! - Bytes are compared and selected as `f16`. `bf16` and 16-bit integers are compared as `f32`.
//!   These types hold all their values.
//! - Architecture 2201 compares integers for equality alone. `a >= b` is `max(a, b) == a`, and
//!   `a <= b` is `min(a, b) == a`. The other compares are their negations (`Not`).
//! - 32-bit unsigned integers have the order of `i32` with the first bit flipped.
//! - 64-bit integers are pairs of words (`int64`).

use super::unsigned::{binary, bits, seen};
use crate::dtype::{DType, RoundMode};
use crate::ir::{Axes, Operand, Scalar, ScalarTy, TileExpr, Ty, ValueId};
use crate::lower::gap::{Gap, Made};
use crate::lower::tile::expand_reductions::{compare, select, value, Rewrite, BITS};
use crate::ops::{AxisReduceOp, BinaryOp, BitOp, CompareOp, LayoutOp, MaskOp, Op};

const SHORT: Ty = Ty::Is(DType::I16);
const WHOLE: Ty = Ty::Is(DType::I32);
const WIDE: Ty = Ty::Is(DType::F32);
const BYTES: [DType; 3] = [DType::I8, DType::U8, DType::Bool];

impl Rewrite<'_> {
    pub fn ty(&self, v: ValueId) -> Ty {
        self.body.values[v.index()].dtype
    }

    pub fn is(&self, ty: Ty, dtype: DType) -> bool {
        self.binding.is(ty, dtype)
    }

    fn is_byte(&self, ty: Ty) -> bool {
        BYTES.iter().any(|dtype| self.is(ty, *dtype))
    }

    /// Returns a float type that holds all values of a type, and in which it is compared.
    fn floats_of(&self, ty: Ty) -> Option<Ty> {
        match self.is_byte(ty) {
            true => Some(BITS),
            false => [DType::Bf16, DType::I16, DType::U16]
                .iter()
                .any(|dtype| self.is(ty, *dtype))
                .then_some(WIDE),
        }
    }

    /// Expands a compare; `None` if the chip has it.
    pub fn compared(
        &mut self,
        to: ValueId,
        op: CompareOp,
        args: &[Operand],
    ) -> Made<Option<TileExpr>> {
        let [Operand::Value { value: a }, b] = args else {
            return Ok(None);
        };
        let ty = self.ty(*a);
        if !self.binding.is_composed(Op::Compare(op), ty) {
            return Ok(None);
        }
        if self.is(ty, DType::I64) {
            return self.compared_pairs(to, op, *a, b).map(Some);
        }
        if self.is(ty, DType::U32) {
            let mut own = |of: &Operand| {
                let whole = self.of_bits(to, of, ty, WHOLE);
                if matches!(op, CompareOp::Eq | CompareOp::Ne) {
                    whole
                } else {
                    self.flipped(to, whole)
                }
            };
            let (a, b) = (own(&value(*a)), own(b));
            return Ok(Some(self.compared_whole(to, op, a, &value(b))));
        }
        let Some(floats) = self.floats_of(ty) else {
            return Ok(Some(self.compared_whole(to, op, *a, b)));
        };
        let a = self.widened(to, &value(*a), ty, floats);
        let b = self.beside(to, b, ty, floats);
        Ok(Some(compare(op, a, b)))
    }

    /// Compares elements of `i32`.
    pub(super) fn compared_whole(
        &mut self,
        to: ValueId,
        op: CompareOp,
        a: ValueId,
        b: &Operand,
    ) -> TileExpr {
        let axes = self.axes(to);
        let same = |this: &mut Self, step: BinaryOp| {
            let end = this.def(to, "end", WHOLE, axes.clone(), binary(step, a, b.clone()));
            compare(CompareOp::Eq, end, value(a))
        };
        match op {
            CompareOp::Eq => compare(CompareOp::Eq, a, b.clone()),
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
            CompareOp::Ne => self.opposite(to, compare(CompareOp::Eq, a, b.clone())),
        }
    }

    /// Negates a mask.
    pub fn opposite(&mut self, to: ValueId, mask: TileExpr) -> TileExpr {
        let mask = self.def(to, "opposite", Ty::Mask, self.axes(to), mask);
        TileExpr::Op {
            op: MaskOp::Not.into(),
            args: vec![value(mask)],
        }
    }

    /// Converts an operand to a type that holds all its values. A scalar is first filled in its own
    /// type.
    fn widened(&mut self, to: ValueId, operand: &Operand, ty: Ty, wide: Ty) -> ValueId {
        let from = match operand {
            Operand::Value { value } => *value,
            Operand::Scalar { value } => self.def(
                to,
                "number",
                ty,
                self.axes(to),
                TileExpr::Fill {
                    value: value.clone(),
                },
            ),
        };
        let axes = self.axes(from);
        self.def_with(to, "wide", wide, axes, |this, own| {
            this.converted(own, from, wide)
        })
    }

    /// Converts an operand that may be a scalar. A scalar beside bytes is clamped to the ends of
    /// their type.
    fn beside(&mut self, to: ValueId, operand: &Operand, ty: Ty, floats: Ty) -> Operand {
        match operand {
            Operand::Scalar { value: number } if self.is_byte(ty) => Operand::Scalar {
                value: Scalar::cast(ScalarTy::F32, self.between_ends(number, ty)),
            },
            operand => value(self.widened(to, operand, ty, floats)),
        }
    }

    /// Clamps an integer to the ends of a type of bytes.
    fn between_ends(&self, number: &Scalar, ty: Ty) -> Scalar {
        let ends = BYTES
            .iter()
            .filter(|dtype| self.is(ty, **dtype))
            .find_map(|dtype| dtype.ends());
        let number = Scalar::cast(ScalarTy::I32, number.clone());
        ends.map_or(number.clone(), |ends| {
            let [least, most] = [ends.start(), ends.end()].map(|end| Scalar::I32(*end as i32));
            number.max(least).min(most)
        })
    }

    /// Fills a tile of a type that `Duplicate` does not have.
    pub fn filled_by_cast(&mut self, to: ValueId, number: &Scalar) -> TileExpr {
        let (ty, axes) = (self.ty(to), self.axes(to));
        let (wide, number) = match self.is(ty, DType::I64) {
            true => (WHOLE, Scalar::cast(ScalarTy::I32, number.clone())),
            false => (
                BITS,
                Scalar::cast(ScalarTy::F32, self.between_ends(number, ty)),
            ),
        };
        let filled = self.def(to, "number", wide, axes, TileExpr::Fill { value: number });
        TileExpr::Cast {
            value: filled,
            mode: None,
        }
    }

    /// Reinterprets an unsigned operand as a signed one with the same bits.
    fn of_bits(&mut self, to: ValueId, operand: &Operand, ty: Ty, signed: Ty) -> ValueId {
        let from = match operand {
            Operand::Value { value } => *value,
            Operand::Scalar { value } => self.def(
                to,
                "number",
                ty,
                self.axes(to),
                TileExpr::Fill {
                    value: value.clone(),
                },
            ),
        };
        let axes = self.axes(from);
        self.def(to, "bits", signed, axes, seen(from))
    }

    /// Flips the first bit of an `i32`, which maps unsigned order to signed order and back.
    pub(super) fn flipped(&mut self, to: ValueId, whole: ValueId) -> ValueId {
        let axes = self.axes(whole);
        let mut own = |expr: TileExpr| self.def(to, "flipped", WHOLE, axes.clone(), expr);
        let most = own(TileExpr::Fill {
            value: Scalar::I32(i32::MAX),
        });
        let rest = own(bits(BitOp::And, whole, most));
        let other = own(TileExpr::Op {
            op: BitOp::Not.into(),
            args: vec![value(whole)],
        });
        let least = own(TileExpr::Fill {
            value: Scalar::I32(i32::MIN),
        });
        let sign = own(bits(BitOp::And, other, least));
        own(bits(BitOp::Or, rest, sign))
    }

    /// True if an operand must be repeated along axes and its type has no `Max`, which would repeat
    /// it as `max(v, v)` (`ops`, `in_place`).
    pub fn repeats_by_way(&self, to: ValueId, choices: &[Operand]) -> bool {
        let (ty, own) = (self.ty(to), self.axes(to));
        let by_way = [DType::Bf16, DType::U16, DType::U32]
            .iter()
            .any(|dtype| self.is(ty, *dtype));
        by_way
            && choices
                .iter()
                .filter_map(Operand::value)
                .any(|v| self.axes(v) != own)
    }

    /// Expands a select that no instruction makes: of pairs, of bytes (as `f16`), or with an
    /// operand that is repeated through another type.
    pub fn choice(&mut self, to: ValueId, mask: ValueId, choices: &[Operand]) -> Made<TileExpr> {
        let ([first, second], ty) = (choices, self.ty(to)) else {
            return Err(Gap::new("a choice between other than two", self.span));
        };
        if self.is(ty, DType::I64) {
            return self.chosen_pairs(to, mask, [first, second]);
        }
        let axes = self.axes(mask);
        let signed = [(DType::U16, SHORT), (DType::U32, WHOLE)]
            .into_iter()
            .find(|(dtype, _)| self.is(ty, *dtype));
        if let Some((_, signed)) = signed {
            let [a, b] = [first, second].map(|of| self.of_bits(to, of, ty, signed));
            let chosen = select(mask, a, value(b));
            return Ok(seen(self.def(to, "chosen", signed, axes, chosen)));
        }
        let (floats, mode) = if self.is_byte(ty) {
            (BITS, None)
        } else {
            (WIDE, Some(RoundMode::Rint))
        };
        let a = self.widened(to, first, ty, floats);
        let b = self.beside(to, second, ty, floats);
        let chosen = self.def(to, "chosen", floats, axes, select(mask, a, b));
        Ok(TileExpr::Cast {
            value: chosen,
            mode,
        })
    }

    /// Expands `Max`, `Min`, sums and unary ops that no instruction makes.
    pub fn computed(&mut self, to: ValueId, op: Op, args: &[Operand]) -> Made<Option<TileExpr>> {
        let ty = self.ty(to);
        if !self.binding.is_composed(op, ty) {
            return Ok(None);
        }
        let step = match (op, args) {
            (Op::Binary(step @ (BinaryOp::Max | BinaryOp::Min)), [_, _]) => step,
            _ => return self.computed_pairs(to, op, args).map(Some),
        };
        // Either operand may be the scalar.
        let (a, b) = match args {
            [Operand::Value { value }, b] | [b, Operand::Value { value }] => (*value, b),
            _ => return Err(Gap::new("the larger of two scalars", self.span)),
        };
        if self.is(ty, DType::I64) {
            return self.end_of_pairs(to, step, a, b).map(Some);
        }
        let axes = self.axes(to);
        if self.is(ty, DType::U32) {
            let [a, b] = [&value(a), b].map(|of| {
                let whole = self.of_bits(to, of, ty, WHOLE);
                self.flipped(to, whole)
            });
            let end = self.def(to, "end", WHOLE, axes, binary(step, a, value(b)));
            return Ok(Some(seen(self.flipped(to, end))));
        }
        let wide = if self.is(ty, DType::U16) { WHOLE } else { BITS };
        let a = self.widened(to, &value(a), ty, wide);
        let b = self.beside(to, b, ty, wide);
        let end = self.def(to, "end", wide, axes, binary(step, a, b));
        Ok(Some(self.converted(to, end, ty)))
    }

    /// Prepares the value and mask of an append: bytes become floats, and the mask of 64-bit
    /// elements becomes numbers of 64 equal bits.
    pub fn packed(&mut self, of: ValueId, mask: ValueId) -> (ValueId, ValueId) {
        let ty = self.ty(of);
        if !self.binding.is_composed(LayoutOp::GatherBits.into(), ty) {
            return (of, mask);
        }
        match self.is(ty, DType::I64) {
            true => (of, self.long_mask(mask)),
            false => (self.widened(of, &value(of), ty, BITS), mask),
        }
    }

    /// Converts elements to a type in which reductions find extremes, keeping their order.
    pub fn ordered(&mut self, to: ValueId, of: ValueId) -> ValueId {
        let ty = self.ty(of);
        if self.is(ty, DType::U32) {
            let whole = self.of_bits(to, &value(of), ty, WHOLE);
            return self.flipped(to, whole);
        }
        match self.floats_of(ty) {
            Some(floats) if !self.is(ty, DType::Bf16) => self.widened(to, &value(of), ty, floats),
            Some(_) | None => of,
        }
    }

    /// Expands a reduction that does not exist for the type.
    pub fn reduced(
        &mut self,
        to: ValueId,
        op: AxisReduceOp,
        of: ValueId,
        over: &Axes,
    ) -> Made<Option<TileExpr>> {
        let ty = self.ty(of);
        if !self.binding.is_composed(Op::AxisReduce(op), ty) {
            return Ok(None);
        }
        if self.is(ty, DType::I64) {
            return match op {
                AxisReduceOp::Sum => self.sum_of_pairs(to, of, over).map(Some),
                AxisReduceOp::Max | AxisReduceOp::Min => self.end_along(to, op, of, over).map(Some),
                AxisReduceOp::Prod
                | AxisReduceOp::Mean
                | AxisReduceOp::ArgMax
                | AxisReduceOp::ArgMin
                | AxisReduceOp::Any
                | AxisReduceOp::All => Err(Gap::new("a reduction of pairs of words", self.span)),
            };
        }
        let ordered = self.ordered(to, of);
        let (wide, axes) = (self.ty(ordered), self.axes(to));
        let end = self.def(
            to,
            "end",
            wide,
            axes,
            TileExpr::reduction(op, ordered, over.clone()),
        );
        if self.is(ty, DType::U32) {
            return Ok(Some(seen(self.flipped(to, end))));
        }
        Ok(Some(self.converted(to, end, ty)))
    }

    /// Extracts one word of each 64-bit number: the low one for pattern 1, the high one for 2.
    pub(super) fn word(&mut self, to: ValueId, of: ValueId, pattern: i64) -> ValueId {
        let (axes, what) = (self.axes(of), if pattern == 1 { "low" } else { "high" });
        let args = vec![
            value(of),
            Operand::Scalar {
                value: Scalar::Int(pattern),
            },
        ];
        self.def(
            to,
            what,
            WHOLE,
            axes,
            TileExpr::Op {
                op: Op::Layout(LayoutOp::GatherMask),
                args,
            },
        )
    }
}
