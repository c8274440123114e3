//! Online softmax: finds sums of exponentials beside their maximum, in one pass instead of two.
//!
//! A streamed softmax finds `m = max s` in one pass over its row and `R = Σ exp(s - m) · u` in the
//! next. As `m` grows from part to part, the sum so far is rescaled:
//! `exp(s - m') = exp(s - m) · exp(m - m')`. In each part:
//!
//! ```text
//! m' = max(m, max s),  z = max(m', -MAX),  R' = R · exp(max(m, -MAX) - z) + Σ exp(s - z) · u
//! ```
//!
//! `-MAX` is the least finite number of the type. It replaces minus infinity, so a row that begins
//! with minus infinities has finite differences. Behind the loop `R + (m - m)` is nan if the
//! maximum is not finite, as the differences of such a row are.
//!
//! The rule holds for passes in which each reduction is such a sum, in `f32`. Terms relative to an
//! earlier maximum may be larger than their final values, so narrower types could overflow. Sums
//! are rounded otherwise than in two passes; `.exact()` keeps two passes.

use super::{joined, op, with, Found, TwoPasses};
use crate::dtype::DType;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{LoopId, Operand, Scalar, SpanId, TileExpr, Ty, ValueId};
use crate::lower::type_queries::Binding;
use crate::ops::{AxisReduceOp, BinaryOp, Op, UnaryOp};
use half::f16;
use std::collections::BTreeSet;

/// Fuses such passes. Returns their sources.
pub fn run(binding: &Binding<'_>, body: &mut Body, authors: &BTreeSet<LoopId>) -> Vec<SpanId> {
    joined(body, authors, &|pair| Online { binding, pair }.join())
}

/// A sum of exponentials.
struct Sum {
    found: Found,
    /// The position of its maximum among the reductions of the first loop.
    max: usize,
    /// The value that is subtracted: the maximum or its cast.
    read: ValueId,
    /// The factors of the difference, each with its op.
    scales: Vec<(BinaryOp, Scalar)>,
}

struct Online<'o, 'b> {
    binding: &'o Binding<'o>,
    pair: &'o mut TwoPasses<'b>,
}

impl Online<'_, '_> {
    fn join(mut self) -> Option<Vec<Stmt>> {
        let sums: Vec<Sum> = self
            .pair
            .seconds
            .clone()
            .into_iter()
            .map(|found| self.sum(found))
            .collect::<Option<_>>()?;
        let maxima: BTreeSet<usize> = sums.iter().map(|sum| sum.max).collect();
        let steps: Vec<(usize, [ValueId; 2])> = maxima
            .into_iter()
            .map(|at| (at, self.clamped(at)))
            .collect();
        let step = |at: usize| {
            steps
                .iter()
                .find(|(of, _)| *of == at)
                .map(|(_, step)| *step)
        };
        for sum in &sums {
            self.stand_for(sum, step(sum.max)?[1]);
        }
        self.pair.place_late();
        let (mut factors, mut behind): (Vec<(usize, &[_], ValueId)>, Vec<Stmt>) =
            (Vec::new(), Vec::new());
        for sum in &sums {
            let known = factors
                .iter()
                .find(|(max, scales, _)| *max == sum.max && *scales == sum.scales);
            let factor = match known {
                Some((.., factor)) => *factor,
                None => self.factor(sum, step(sum.max)?),
            };
            factors.push((sum.max, &sum.scales, factor));
            self.grown(sum, factor);
            behind.extend(self.nan_of(sum));
        }
        Some(behind)
    }

    /// Matches a sum of an exponential times factors that do not depend on the maximum.
    fn sum(&self, found: Found) -> Option<Sum> {
        let mut at = found.source;
        (found.op == AxisReduceOp::Sum).then_some(())?;
        // All these ops are linear in the exponential.
        let mut inner = loop {
            match self.pair.def(at)? {
                TileExpr::Cast { value, mode: None } => at = *value,
                TileExpr::Op {
                    op: Op::Unary(UnaryOp::Neg),
                    args,
                } => at = args[0].value()?,
                TileExpr::Op {
                    op: Op::Binary(BinaryOp::Mul),
                    args,
                } => at = self.only_late(args)?,
                TileExpr::Op {
                    op: Op::Binary(BinaryOp::Div),
                    args,
                } => {
                    let late = self.only_late(args)?;
                    (args[0].value() == Some(late)).then_some(())?;
                    at = late;
                }
                TileExpr::Op {
                    op: Op::Unary(UnaryOp::Exp),
                    args,
                } => break args[0].value()?,
                _ => return None,
            }
        };
        let mut scales = Vec::new();
        loop {
            match self.pair.def(inner)? {
                TileExpr::Cast { value, mode: None } => inner = *value,
                TileExpr::Op {
                    op: Op::Binary(op @ (BinaryOp::Mul | BinaryOp::Div)),
                    args,
                } => {
                    let (value, scale) = positive(args)?;
                    scales.push((*op, scale.clone()));
                    inner = value;
                }
                TileExpr::Op {
                    op: Op::Binary(BinaryOp::Sub),
                    args,
                } => {
                    let (s, read) = (args[0].value()?, args[1].value()?);
                    scales.reverse();
                    let max = self.max_of(s, read)?;
                    // Types are asked for last: instances that differ in nothing else are lowered
                    // once.
                    let is_f32 = self.binding.is(self.pair.ty(found.sum), DType::F32);
                    return is_f32.then_some(Sum {
                        max,
                        read,
                        scales,
                        found,
                    });
                }
                _ => return None,
            }
        }
    }

    /// Returns the one operand that depends on a result of the first loop.
    fn only_late(&self, args: &[Operand]) -> Option<ValueId> {
        let mut late = args
            .iter()
            .filter_map(Operand::value)
            .filter(|v| self.pair.is_late(*v));
        let one = late.next()?;
        late.next().is_none().then_some(one)
    }

    /// Finds the reduction of the first loop that is the maximum of `s`. `read` is its result; or
    /// both are casts.
    fn max_of(&self, s: ValueId, read: ValueId) -> Option<usize> {
        let (s, read) = match (self.pair.def(s), self.pair.def(read)) {
            (
                Some(TileExpr::Cast {
                    value: s,
                    mode: None,
                }),
                Some(TileExpr::Cast {
                    value: read,
                    mode: None,
                }),
            ) => (*s, *read),
            _ => (s, read),
        };
        let is_max = |found: &Found| {
            found.op == AxisReduceOp::Max && found.sum == read && found.source == self.pair.now(s)
        };
        let at = self
            .pair
            .firsts
            .iter()
            .position(is_max)
            .filter(|_| !self.pair.is_late(s))?;
        let ty = self.pair.ty(read);
        (self.binding.is(ty, DType::F32) || self.binding.is(ty, DType::F16)).then_some(at)
    }

    /// Returns the maximum of the parts before, and that including this part, both clamped to
    /// finite numbers from below.
    fn clamped(&mut self, at: usize) -> [ValueId; 2] {
        let max = self.pair.firsts[at].sum;
        let is_half = self.binding.is(self.pair.ty(max), DType::F16);
        let least = if is_half { f16::MIN.to_f32() } else { f32::MIN };
        let least = |max| with(BinaryOp::Max, max, Scalar::Float(least));
        [
            self.pair.define_before(max, "before", least(max)),
            self.pair.like(max, "now", least(max)),
        ]
    }

    /// Makes uses of the final maximum read that of the parts so far.
    fn stand_for(&mut self, sum: &Sum, now: ValueId) {
        let max = self.pair.firsts[sum.max].sum;
        if sum.read == max {
            return self.pair.stands_for(now, max);
        }
        if self.pair.now(sum.read) == sum.read {
            let cast = self.pair.like(
                sum.read,
                "now",
                TileExpr::Cast {
                    value: now,
                    mode: None,
                },
            );
            self.pair.stands_for(cast, sum.read);
        }
    }

    /// Returns the factor that rescales the sum of the parts before.
    fn factor(&mut self, sum: &Sum, step: [ValueId; 2]) -> ValueId {
        let axes = self.pair.axes_of(step[0]);
        let numbers = step.map(|v| self.as_f32(v));
        let mut factor = self.pair.define(
            "step",
            F32,
            axes.clone(),
            op(BinaryOp::Sub, numbers[0], numbers[1]),
        );
        for (op, scale) in &sum.scales {
            factor = self
                .pair
                .define("step", F32, axes.clone(), with(*op, factor, scale.clone()));
        }
        let args = vec![Operand::Value { value: factor }];
        self.pair.define(
            "rescale",
            F32,
            axes,
            TileExpr::Op {
                op: Op::Unary(UnaryOp::Exp),
                args,
            },
        )
    }

    fn as_f32(&mut self, v: ValueId) -> ValueId {
        if self.binding.is(self.pair.ty(v), DType::F32) {
            return v;
        }
        let axes = self.pair.axes_of(v);
        self.pair.define(
            "wide",
            F32,
            axes,
            TileExpr::Cast {
                value: v,
                mode: None,
            },
        )
    }

    /// Adds the sum of this part to the rescaled sum.
    fn grown(&mut self, Sum { found, .. }: &Sum, factor: ValueId) {
        let part = self.pair.part(found);
        let scaled = self
            .pair
            .like(found.sum, "scaled", op(BinaryOp::Mul, found.sum, factor));
        let next = self
            .pair
            .like(found.sum, "next", op(BinaryOp::Add, scaled, part));
        self.pair.set(found.sum, next);
    }

    /// Makes the sum nan if the maximum is not finite.
    fn nan_of(&mut self, sum: &Sum) -> Vec<Stmt> {
        let (max, to) = (self.pair.firsts[sum.max].sum, sum.found.sum);
        let (mut none, s) = self.pair.def_like(max, "none", op(BinaryOp::Sub, max, max));
        let mut behind = vec![s];
        if !self.binding.is(self.pair.ty(max), DType::F32) {
            let axes = self.pair.axes_of(max);
            let (wide, s) = self.pair.def_of(
                "none",
                F32,
                axes,
                TileExpr::Cast {
                    value: none,
                    mode: None,
                },
            );
            none = wide;
            behind.push(s);
        }
        let (whole, s) = self.pair.def_like(to, "whole", op(BinaryOp::Add, to, none));
        behind.extend([s, self.pair.set_of(to, whole)]);
        behind
    }
}

const F32: Ty = Ty::Is(DType::F32);

/// Matches a product or quotient of a tile and a positive number of the text.
fn positive(args: &[Operand]) -> Option<(ValueId, &Scalar)> {
    let [Operand::Value { value }, Operand::Scalar {
        value: scale @ Scalar::Float(c),
    }] = args
    else {
        return None;
    };
    (*c > 0.0 && c.is_finite()).then_some((*value, scale))
}
