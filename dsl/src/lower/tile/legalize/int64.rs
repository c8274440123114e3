//! 64-bit integers as pairs of words.
//!
//! The vector unit moves and casts 64-bit elements and joins their bits, but it computes with words
//! alone.
//!
//! - The even words of a tile are the low halves, the odd ones the high halves (`GatherMask`). High
//!   halves are compared as signed, low ones as unsigned numbers.
//! - Sums are sums of parts of the words. Parts have so few bits that `i32` holds their sums, also
//!   where a launch lets integers saturate. Carries go to the next part; that of the last part is
//!   dropped, so results wrap.
//! - Each part becomes a 64-bit number through `f32`, which holds its bits times a power of two.
//!   `Or` joins these.
//! - A select works on bits: one operand is `And`ed with the mask as a number, 0 or -1, the other
//!   one with the complement.

use super::unsigned::{binary, bits, cast, scalar, shift};
use crate::dtype::{DType, RoundMode};
use crate::ir::{Axes, Operand, Scalar, ScalarTy, TileExpr, Ty, ValueId};
use crate::lower::gap::{Gap, Made};
use crate::lower::tile::expand_reductions::{compare, number, select, value, Rewrite};
use crate::ops::{AxisReduceOp, BinaryOp, BitOp, CompareOp, MaskOp, Op, ShiftOp, UnaryOp};

const WHOLE: Ty = Ty::Is(DType::I32);
const FLOAT: Ty = Ty::Is(DType::F32);
const LONG: Ty = Ty::Is(DType::I64);

/// Bits of the parts of numbers of which two are added.
const HALVES: [u32; 4] = [16; 4];

/// Bits of the parts of numbers of which a whole row is added. The host refuses rows of more than
/// 2^20.
const THIRDS: [u32; 6] = [11, 11, 10, 11, 11, 10];

/// Both words of a number, as tiles or as numbers of the text.
struct Words {
    low: Operand,
    high: Operand,
}

fn joined(op: MaskOp, a: ValueId, b: ValueId) -> TileExpr {
    TileExpr::Op {
        op: op.into(),
        args: vec![value(a), value(b)],
    }
}

impl Rewrite<'_> {
    fn whole(&mut self, to: ValueId, axes: &Axes, what: &str, expr: TileExpr) -> ValueId {
        self.def(to, what, WHOLE, axes.clone(), expr)
    }

    fn mask(&mut self, to: ValueId, expr: TileExpr) -> ValueId {
        let axes = self.axes(to);
        self.def(to, "mask", Ty::Mask, axes, expr)
    }

    /// Returns the words of an operand. Scalars that are not in the text become tiles.
    fn pair(&mut self, to: ValueId, operand: &Operand) -> Words {
        match operand {
            Operand::Value { value: of } => Words {
                low: value(self.word(to, *of, 1)),
                high: value(self.word(to, *of, 2)),
            },
            Operand::Scalar { value: of } => match of.as_int() {
                Some(n) => Words {
                    low: scalar(n as i32),
                    high: scalar((n >> 32) as i32),
                },
                None => {
                    let axes = self.axes(to);
                    let low = TileExpr::Fill {
                        value: Scalar::cast(ScalarTy::I32, of.clone()),
                    };
                    let low = self.whole(to, &axes, "low", low);
                    let high = self.whole(to, &axes, "high", shift(ShiftOp::Right, low, 31));
                    Words {
                        low: value(low),
                        high: value(high),
                    }
                }
            },
        }
    }

    fn tile_of(&self, operand: &Operand) -> Made<ValueId> {
        operand.value().ok_or_else(|| {
            Gap::new(
                "a number of the text where words of a tile are due",
                self.span,
            )
        })
    }

    /// Returns a word whose order as an `i32` is its unsigned order.
    fn flipped_word(&mut self, to: ValueId, word: &Operand) -> Made<Operand> {
        match word {
            Operand::Value { value: word } => Ok(value(self.flipped(to, *word))),
            Operand::Scalar { value } => {
                let n = value.as_int().ok_or_else(|| {
                    Gap::new("a word of a number that the text does not have", self.span)
                })?;
                Ok(scalar(n as i32 ^ i32::MIN))
            }
        }
    }

    /// Compares pairs: the high words decide, or the low words if those are equal.
    pub(super) fn compared_pairs(
        &mut self,
        to: ValueId,
        op: CompareOp,
        a: ValueId,
        b: &Operand,
    ) -> Made<TileExpr> {
        let (a, b) = (self.pair(to, &value(a)), self.pair(to, b));
        let [high, low] = [self.tile_of(&a.high)?, self.tile_of(&a.low)?];
        let same = self.mask(to, compare(CompareOp::Eq, high, b.high.clone()));
        let strict = match op {
            CompareOp::Eq | CompareOp::Ne => {
                let rest = self.mask(to, compare(CompareOp::Eq, low, b.low));
                let both = joined(MaskOp::And, same, rest);
                return Ok(if op == CompareOp::Ne {
                    self.opposite(to, both)
                } else {
                    both
                });
            }
            CompareOp::Lt | CompareOp::Le => CompareOp::Lt,
            CompareOp::Gt | CompareOp::Ge => CompareOp::Gt,
        };
        let above = self.compared_whole(to, strict, high, &b.high);
        let above = self.mask(to, above);
        let (low, other) = (self.flipped(to, low), self.flipped_word(to, &b.low)?);
        let rest = self.compared_whole(to, op, low, &other);
        let rest = self.mask(to, rest);
        let tied = self.mask(to, joined(MaskOp::And, same, rest));
        Ok(joined(MaskOp::Or, above, tied))
    }

    /// Makes 64-bit numbers of a mask: -1 where its bit is set, else 0.
    pub(super) fn long_mask(&mut self, mask: ValueId) -> ValueId {
        let axes = self.axes(mask);
        let bit = self.bits(mask, mask);
        let bit = self.whole(mask, &axes, "bit", cast(bit, RoundMode::Rint));
        let minus = self.whole(mask, &axes, "minus", binary(BinaryOp::Mul, bit, scalar(-1)));
        self.def(mask, "takes", LONG, axes, cast(minus, RoundMode::None))
    }

    /// Selects between pairs.
    pub(super) fn chosen_pairs(
        &mut self,
        to: ValueId,
        mask: ValueId,
        both: [&Operand; 2],
    ) -> Made<TileExpr> {
        let axes = self.axes(to);
        let takes = self.long_mask(mask);
        let long = |this: &mut Self, what: &str, expr: TileExpr| {
            this.def(to, what, LONG, axes.clone(), expr)
        };
        let leaves = long(
            self,
            "leaves",
            TileExpr::Op {
                op: BitOp::Not.into(),
                args: vec![value(takes)],
            },
        );
        let [first, second] = both;
        let (first, second) = (self.in_full(to, first)?, self.in_full(to, second)?);
        let first = long(self, "first", bits(BitOp::And, first, takes));
        let second = long(self, "second", bits(BitOp::And, second, leaves));
        Ok(bits(BitOp::Or, first, second))
    }

    /// Returns an operand with all axes of the result.
    fn in_full(&mut self, to: ValueId, operand: &Operand) -> Made<ValueId> {
        let axes = self.axes(to);
        let expr = match operand {
            Operand::Value { value } if self.axes(*value) == axes => return Ok(*value),
            Operand::Scalar { value } => {
                let filled = TileExpr::Fill {
                    value: Scalar::cast(ScalarTy::I32, value.clone()),
                };
                cast(self.whole(to, &axes, "number", filled), RoundMode::None)
            }
            operand => {
                let Words { low, high } = self.pair(to, operand);
                let mut full = |word: Operand| {
                    let word = self.tile_of(&word)?;
                    Ok(value(self.whole(
                        to,
                        &axes,
                        "word",
                        TileExpr::Copy { value: word },
                    )))
                };
                let pair = Words {
                    low: full(low)?,
                    high: full(high)?,
                };
                self.long(to, &pair)?
            }
        };
        Ok(self.def(to, "full", LONG, axes, expr))
    }

    /// Returns the larger or smaller of two operands.
    pub(super) fn end_of_pairs(
        &mut self,
        to: ValueId,
        step: BinaryOp,
        a: ValueId,
        b: &Operand,
    ) -> Made<TileExpr> {
        let order = if step == BinaryOp::Max {
            CompareOp::Ge
        } else {
            CompareOp::Le
        };
        let mask = self.compared_pairs(to, order, a, b)?;
        let mask = self.mask(to, mask);
        self.chosen_pairs(to, mask, [&value(a), b])
    }

    /// Extracts bits of a word. They are signed if they are the last bits of a signed word.
    fn part(
        &mut self,
        to: ValueId,
        word: &Operand,
        from: u32,
        width: u32,
        has_sign: bool,
    ) -> Made<Operand> {
        let is_last = from + width == 32 && has_sign;
        let mask = (1i64 << width) - 1;
        let v = match word {
            Operand::Value { value } => *value,
            Operand::Scalar { value } => {
                let n = value.as_int().ok_or_else(|| {
                    Gap::new("a part of a number that the text does not have", self.span)
                })?;
                let n = i64::from(n as i32) >> from;
                return Ok(scalar(if is_last { n } else { n & mask } as i32));
            }
        };
        let axes = self.axes(v);
        let moved = match from {
            0 => v,
            _ => self.whole(to, &axes, "moved", shift(ShiftOp::Right, v, from as i32)),
        };
        if is_last {
            return Ok(value(moved));
        }
        let mask = self.whole(
            to,
            &axes,
            "ones",
            TileExpr::Fill {
                value: Scalar::I32(mask as i32),
            },
        );
        Ok(value(self.whole(
            to,
            &axes,
            "part",
            bits(BitOp::And, moved, mask),
        )))
    }

    /// Extracts bits of a number that lie in one of its words.
    fn part_at(&mut self, to: ValueId, pair: &Words, at: u32, width: u32) -> Made<Operand> {
        let (word, has_sign) = if at < 32 {
            (&pair.low, false)
        } else {
            (&pair.high, true)
        };
        self.part(to, word, at % 32, width, has_sign)
    }

    /// Splits a number into parts, from its low bits on.
    fn parts(&mut self, to: ValueId, pair: &Words, widths: [u32; 4]) -> Made<Vec<Operand>> {
        let (mut parts, mut at) = (Vec::new(), 0);
        for width in widths {
            parts.push(self.part_at(to, pair, at, width)?);
            at += width;
        }
        Ok(parts)
    }

    /// Joins sums of parts, after carrying from each part to the next one.
    fn carried(&mut self, to: ValueId, parts: Vec<ValueId>, widths: &[u32]) -> TileExpr {
        let axes = self.axes(to);
        let (mut beyond, mut kept, mut at) = (None, Vec::new(), 0);
        for (part, width) in parts.into_iter().zip(widths) {
            let sum = match beyond {
                Some(more) => self.whole(
                    to,
                    &axes,
                    "carried",
                    binary(BinaryOp::Add, part, value(more)),
                ),
                None => part,
            };
            if at + width == 64 {
                let cut = (32 - width) as i32;
                let up = self.whole(to, &axes, "moved", shift(ShiftOp::Left, sum, cut));
                kept.push((
                    self.whole(to, &axes, "part", shift(ShiftOp::Right, up, cut)),
                    at,
                ));
                break;
            }
            let ones = self.whole(
                to,
                &axes,
                "ones",
                TileExpr::Fill {
                    value: Scalar::I32((1 << width) - 1),
                },
            );
            kept.push((
                self.whole(to, &axes, "part", bits(BitOp::And, sum, ones)),
                at,
            ));
            beyond = Some(self.whole(
                to,
                &axes,
                "beyond",
                shift(ShiftOp::Right, sum, *width as i32),
            ));
            at += width;
        }
        self.of_parts(to, &kept)
    }

    /// Joins parts, each at its first bit, to one number.
    fn of_parts(&mut self, to: ValueId, parts: &[(ValueId, u32)]) -> TileExpr {
        let axes = self.axes(to);
        let mut all: Option<TileExpr> = None;
        for (part, at) in parts {
            let placed = self.placed(to, *part, *at);
            all = Some(match all {
                Some(before) => {
                    let before = self.def(to, "joined", LONG, axes.clone(), before);
                    let placed = self.def(to, "placed", LONG, axes.clone(), placed);
                    bits(BitOp::Or, before, placed)
                }
                None => placed,
            });
        }
        all.unwrap_or(TileExpr::Fill {
            value: Scalar::I32(0),
        })
    }

    /// Shifts a part to its bits in a 64-bit number.
    fn placed(&mut self, to: ValueId, part: ValueId, at: u32) -> TileExpr {
        if at == 0 {
            return cast(part, RoundMode::None);
        }
        let axes = self.axes(to);
        let float = self.def(
            to,
            "float",
            FLOAT,
            axes.clone(),
            cast(part, RoundMode::None),
        );
        let factor = number(2f32.powi(at as i32));
        let scaled = self.def(
            to,
            "scaled",
            FLOAT,
            axes,
            binary(BinaryOp::Mul, float, factor),
        );
        cast(scaled, RoundMode::Rint)
    }

    /// Joins a pair of words to a number.
    fn long(&mut self, to: ValueId, pair: &Words) -> Made<TileExpr> {
        let parts = self.parts(to, pair, HALVES)?;
        let parts = parts
            .iter()
            .map(|part| self.tile_of(part))
            .collect::<Made<Vec<_>>>()?;
        let parts: Vec<(ValueId, u32)> = parts.into_iter().zip((0..).step_by(16)).collect();
        Ok(self.of_parts(to, &parts))
    }

    /// Expands addition, subtraction, negation and absolute values.
    pub(super) fn computed_pairs(
        &mut self,
        to: ValueId,
        op: Op,
        args: &[Operand],
    ) -> Made<TileExpr> {
        let axes = self.axes(to);
        let sums: Vec<TileExpr> = match (op, args) {
            (Op::Binary(BinaryOp::Add | BinaryOp::Sub), [a, b]) => {
                let (a, b) = (self.pair(to, a), self.pair(to, b));
                let (a, b) = (self.parts(to, &a, HALVES)?, self.parts(to, &b, HALVES)?);
                a.into_iter()
                    .zip(b)
                    .map(|(a, b)| TileExpr::Op {
                        op,
                        args: vec![a, b],
                    })
                    .collect()
            }
            (Op::Unary(UnaryOp::Neg), [a]) => {
                let a = self.pair(to, a);
                let parts = self.parts(to, &a, HALVES)?;
                parts
                    .iter()
                    .map(|part| Ok(binary(BinaryOp::Mul, self.tile_of(part)?, scalar(-1))))
                    .collect::<Made<_>>()?
            }
            (Op::Unary(UnaryOp::Abs), [a]) => {
                let a = self.pair(to, a);
                // 1, or -1 where the number is negative.
                let high = self.tile_of(&a.high)?;
                let sign = self.whole(to, &axes, "sign", shift(ShiftOp::Right, high, 31));
                let twice = self.whole(to, &axes, "twice", binary(BinaryOp::Mul, sign, scalar(2)));
                let sign = self.whole(to, &axes, "sign", binary(BinaryOp::Add, twice, scalar(1)));
                let parts = self.parts(to, &a, HALVES)?;
                let signed =
                    |part: &Operand| Ok(binary(BinaryOp::Mul, self.tile_of(part)?, value(sign)));
                parts.iter().map(signed).collect::<Made<_>>()?
            }
            (op, args) => {
                return Err(Gap::new(
                    format!("`{}` of {} pairs of words", op.name(), args.len()),
                    self.span,
                ))
            }
        };
        let sums = sums
            .into_iter()
            .map(|sum| self.whole(to, &axes, "sum", sum))
            .collect();
        Ok(self.carried(to, sums, &HALVES))
    }

    /// Expands a sum along axes.
    pub(super) fn sum_of_pairs(&mut self, to: ValueId, of: ValueId, over: &Axes) -> Made<TileExpr> {
        let pair = self.pair(to, &value(of));
        let (axes, mut sums, mut at) = (self.axes(to), Vec::new(), 0);
        for width in THIRDS {
            // Parts are made one by one, so that each dies with its sum.
            let part = self.part_at(to, &pair, at, width)?;
            let sum = TileExpr::reduction(AxisReduceOp::Sum, self.tile_of(&part)?, over.clone());
            sums.push(self.whole(to, &axes, "sum", sum));
            at += width;
        }
        Ok(self.carried(to, sums, &THIRDS))
    }

    /// Finds the largest or smallest number along axes.
    pub(super) fn end_along(
        &mut self,
        to: ValueId,
        op: AxisReduceOp,
        of: ValueId,
        over: &Axes,
    ) -> Made<TileExpr> {
        let ends = self.ends_along(to, op, of, over, &self.axes(to))?;
        let low = self.flipped(to, ends.low_end);
        self.long(
            to,
            &Words {
                low: value(low),
                high: value(ends.high_end),
            },
        )
    }

    /// Marks the numbers that are the largest or smallest along axes.
    pub fn is_end_along(
        &mut self,
        to: ValueId,
        op: AxisReduceOp,
        of: ValueId,
        over: &Axes,
    ) -> Made<ValueId> {
        let axes = self.axes(of);
        let ends = self.ends_along(to, op, of, over, &axes.without(over))?;
        let rest = self.def(
            to,
            "rest",
            Ty::Mask,
            axes.clone(),
            compare(CompareOp::Eq, ends.low, value(ends.low_end)),
        );
        Ok(self.def(
            to,
            "equal",
            Ty::Mask,
            axes,
            joined(MaskOp::And, ends.same, rest),
        ))
    }

    /// Finds the extreme of the high words, and that of the low words beside it.
    fn ends_along(
        &mut self,
        to: ValueId,
        op: AxisReduceOp,
        of: ValueId,
        over: &Axes,
        left: &Axes,
    ) -> Made<Ends> {
        let (pair, axes) = (self.pair(to, &value(of)), self.axes(of));
        let [high, low] = [self.tile_of(&pair.high)?, self.tile_of(&pair.low)?];
        let low = self.flipped(to, low);
        let high_end = self.whole(
            to,
            left,
            "high_end",
            TileExpr::reduction(op, high, over.clone()),
        );
        let same = self.def(
            to,
            "same",
            Ty::Mask,
            axes.clone(),
            compare(CompareOp::Eq, high, value(high_end)),
        );
        let least = Scalar::I32(if op == AxisReduceOp::Max {
            i32::MIN
        } else {
            i32::MAX
        });
        let least = self.whole(to, &axes, "least", TileExpr::Fill { value: least });
        let chosen = self.whole(to, &axes, "chosen", select(same, low, value(least)));
        let low_end = self.whole(
            to,
            left,
            "low_end",
            TileExpr::reduction(op, chosen, over.clone()),
        );
        Ok(Ends {
            low,
            same,
            high_end,
            low_end,
        })
    }
}

/// The extremes of pairs along axes.
struct Ends {
    /// The low words, in the order of `i32`.
    low: ValueId,
    /// A mask of the numbers with the extreme high word.
    same: ValueId,
    high_end: ValueId,
    /// The extreme of the low words under that mask.
    low_end: ValueId,
}
