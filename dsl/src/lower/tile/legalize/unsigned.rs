//! Conversions from and to unsigned integers of 16 and 32 bits, for which the chip has no cast.
//!
//! They are made of casts of signed integers with the same bits, and of shifts. Each rounds at most
//! once and saturates at the ends of its type.
//!
//! - `u16` to `i32`: the `i16` of the same bits is cast through `f32`, and its sign bits are
//!   cleared.
//! - `i32` to `u16`: the number is clamped, and two shifts leave the signed number that has its low
//!   16 bits.
//! - `u32` to `i32`: numbers with the first bit set saturate. Or-ed with their own sign they are
//!   -1, and without the sign bit that is the largest number.
//! - `i32` to `u32`: a number that is not negative keeps its bits.
//! - `u32` to floats: the sum of its upper half times 2^16 and its lower half. Both are exact in
//!   `f32`, so the sum rounds once.
//! - Floats to `u32`: the rounded number is divided the same way. Only the rounding at the
//!   beginning is inexact.

use crate::dtype::{DType, RoundMode};
use crate::ir::{Operand, Scalar, TileExpr, Ty, ValueId};
use crate::lower::tile::expand_reductions::{number, value, Rewrite};
use crate::ops::{BinaryOp, BitOp, LayoutOp, Op, ShiftOp};

const SHORT: Ty = Ty::Is(DType::I16);
const WHOLE: Ty = Ty::Is(DType::I32);
const FLOAT: Ty = Ty::Is(DType::F32);
const LOW: i32 = 0xffff;

pub(super) fn scalar(n: i32) -> Operand {
    Operand::Scalar {
        value: Scalar::I32(n),
    }
}

pub(super) fn binary(op: BinaryOp, a: ValueId, b: Operand) -> TileExpr {
    TileExpr::Op {
        op: op.into(),
        args: vec![value(a), b],
    }
}

pub(super) fn bits(op: BitOp, a: ValueId, b: ValueId) -> TileExpr {
    TileExpr::Op {
        op: op.into(),
        args: vec![value(a), value(b)],
    }
}

pub(super) fn shift(op: ShiftOp, a: ValueId, by: i32) -> TileExpr {
    TileExpr::Op {
        op: op.into(),
        args: vec![value(a), scalar(by)],
    }
}

/// Reinterprets the same bits as elements of another type.
pub fn seen(a: ValueId) -> TileExpr {
    TileExpr::Op {
        op: Op::Layout(LayoutOp::LocalCopy),
        args: vec![value(a)],
    }
}

pub(super) fn cast(a: ValueId, mode: RoundMode) -> TileExpr {
    TileExpr::Cast {
        value: a,
        mode: Some(mode),
    }
}

impl Rewrite<'_> {
    /// Defines a value of one step, named after the value that it is made for.
    fn step(&mut self, of: ValueId, ty: Ty, expr: TileExpr) -> ValueId {
        let axes = self.axes(of);
        self.def(of, "step", ty, axes, expr)
    }

    fn filled(&mut self, of: ValueId, n: i32) -> ValueId {
        self.step(
            of,
            WHOLE,
            TileExpr::Fill {
                value: Scalar::I32(n),
            },
        )
    }

    /// Returns the last step of a conversion from or to unsigned integers.
    pub fn unsigned(&mut self, to: ValueId, from: ValueId, target: Ty) -> TileExpr {
        let (binding, source) = (self.binding, self.ty(from));
        let is = |ty: Ty, dtype: DType| binding.is(ty, dtype);
        if is(source, DType::U32) && (is(target, DType::F32) || is(target, DType::F16)) {
            let float = self.float_of_words(to, from);
            return self.onward(to, float, target);
        }
        if is(source, DType::U16) || is(source, DType::U32) {
            let whole = if is(source, DType::U16) {
                self.whole_of_shorts(to, from)
            } else {
                self.whole_of_words(to, from)
            };
            return self.onward(to, whole, target);
        }
        let floats = [DType::F16, DType::Bf16, DType::F32]
            .into_iter()
            .any(|float| is(source, float));
        if is(target, DType::U32) && floats {
            let float = match is(source, DType::F32) {
                true => from,
                false => self.step(
                    to,
                    FLOAT,
                    TileExpr::Cast {
                        value: from,
                        mode: None,
                    },
                ),
            };
            return self.words_of_float(to, float);
        }
        let whole = match is(source, DType::I32) {
            true => from,
            false => {
                let whole = self.steps(to, from, WHOLE);
                self.step(to, WHOLE, whole)
            }
        };
        let positive = self.step(to, WHOLE, binary(BinaryOp::Max, whole, scalar(0)));
        match is(target, DType::U32) {
            true => seen(positive),
            false => self.shorts_of_whole(to, positive),
        }
    }

    /// Converts from a type in between to the target.
    fn onward(&mut self, to: ValueId, from: ValueId, target: Ty) -> TileExpr {
        let source = self.ty(from);
        let direct = self.binding.same(source, target);
        let by_float = source == WHOLE
            && [DType::F16, DType::Bf16]
                .iter()
                .any(|short| self.binding.is(target, *short));
        match (direct, by_float) {
            (true, _) => TileExpr::Copy { value: from },
            // Integers of 16 bits are exact in `f32`.
            (false, true) => {
                let float = self.step(to, FLOAT, cast(from, RoundMode::Rint));
                cast(float, RoundMode::Rint)
            }
            (false, false) => self.converted(to, from, target),
        }
    }

    fn whole_of_shorts(&mut self, to: ValueId, from: ValueId) -> ValueId {
        let short = self.step(to, SHORT, seen(from));
        let float = self.step(to, FLOAT, cast(short, RoundMode::None));
        let whole = self.step(to, WHOLE, cast(float, RoundMode::Rint));
        self.low_half(to, whole)
    }

    fn low_half(&mut self, to: ValueId, whole: ValueId) -> ValueId {
        let low = self.filled(to, LOW);
        self.step(to, WHOLE, bits(BitOp::And, whole, low))
    }

    /// Converts integers that are not negative.
    fn shorts_of_whole(&mut self, to: ValueId, positive: ValueId) -> TileExpr {
        let between = self.step(to, WHOLE, binary(BinaryOp::Min, positive, scalar(LOW)));
        let up = self.step(to, WHOLE, shift(ShiftOp::Left, between, 16));
        let down = self.step(to, WHOLE, shift(ShiftOp::Right, up, 16));
        let short = self.step(to, SHORT, cast(down, RoundMode::None));
        seen(short)
    }

    fn whole_of_words(&mut self, to: ValueId, from: ValueId) -> ValueId {
        let whole = self.step(to, WHOLE, seen(from));
        let sign = self.step(to, WHOLE, shift(ShiftOp::Right, whole, 31));
        let ended = self.step(to, WHOLE, bits(BitOp::Or, whole, sign));
        let most = self.filled(to, i32::MAX);
        self.step(to, WHOLE, bits(BitOp::And, ended, most))
    }

    fn float_of_words(&mut self, to: ValueId, from: ValueId) -> ValueId {
        let words = Ty::Is(DType::U32);
        let upper = self.step(to, words, shift(ShiftOp::Right, from, 16));
        let upper = self.step(to, WHOLE, seen(upper));
        let upper = self.step(to, FLOAT, cast(upper, RoundMode::None));
        let upper = self.step(to, FLOAT, binary(BinaryOp::Mul, upper, number(65_536.0)));
        let whole = self.step(to, WHOLE, seen(from));
        let lower = self.low_half(to, whole);
        let lower = self.step(to, FLOAT, cast(lower, RoundMode::None));
        self.step(to, FLOAT, binary(BinaryOp::Add, upper, value(lower)))
    }

    fn words_of_float(&mut self, to: ValueId, from: ValueId) -> TileExpr {
        let rounded = self.step(
            to,
            FLOAT,
            TileExpr::Round {
                value: from,
                mode: RoundMode::Rint,
            },
        );
        let scaled = self.step(
            to,
            FLOAT,
            binary(BinaryOp::Mul, rounded, number(1.0 / 65_536.0)),
        );
        let upper = self.step(to, WHOLE, cast(scaled, RoundMode::Floor));
        let upper = self.step(to, WHOLE, binary(BinaryOp::Max, upper, scalar(0)));
        let upper = self.step(to, WHOLE, binary(BinaryOp::Min, upper, scalar(LOW)));
        let whole = self.step(to, FLOAT, cast(upper, RoundMode::None));
        let whole = self.step(to, FLOAT, binary(BinaryOp::Mul, whole, number(65_536.0)));
        let lower = self.step(to, FLOAT, binary(BinaryOp::Sub, rounded, value(whole)));
        let lower = self.step(to, FLOAT, binary(BinaryOp::Min, lower, number(LOW as f32)));
        let lower = self.step(to, FLOAT, binary(BinaryOp::Max, lower, number(0.0)));
        let lower = self.step(to, WHOLE, cast(lower, RoundMode::Rint));
        let upper = self.step(to, WHOLE, shift(ShiftOp::Left, upper, 16));
        let joined = self.step(to, WHOLE, bits(BitOp::Or, upper, lower));
        seen(joined)
    }
}
