//! Scalars of the step law: as counts and indices, as numbers among elements, and as conditions.
//!
//! A count or an index keeps its value. A number that is compared with elements is drawn if it
//! consists of literals, sizes and attributes. It lies among the elements, so some are less and
//! some are more. A condition of such numbers holds or not, as a flag or a hash decides. A loop by
//! drawn sizes iterates at least once in some draws. So nothing hides behind a condition that no
//! drawn number meets.

use super::flags::compared;
use super::{rounded, Evaluation};
use crate::check::source::cut::number::{hash, Number};
use crate::dtype::RoundMode;
use crate::ir::{BinOp, Scalar, ScalarTy, UnOp};

impl Evaluation<'_, '_, '_> {
    /// True for an integer of literals and of variables of loops by literals.
    pub(super) fn is_counted(&self, s: &Scalar) -> bool {
        let mut is = true;
        s.walk(&mut |leaf| {
            is &= match leaf {
                Scalar::Int(_) | Scalar::I32(_) => true,
                Scalar::Var(var) => {
                    self.counted.contains(var)
                        || self
                            .world
                            .turn
                            .context
                            .definitions
                            .get(*var)
                            .is_some_and(|s| self.is_counted(s))
                }
                Scalar::Bin(..) => leaf.ty() != ScalarTy::F32,
                Scalar::Un(UnOp::Neg, a) => a.ty() != ScalarTy::F32,
                Scalar::Cast(to, a) => *to != ScalarTy::F32 && a.ty() != ScalarTy::F32,
                _ => false,
            }
        });
        is
    }

    /// Evaluates a scalar as an iteration count or an index, where literals keep their values.
    /// Floats are evaluated as numbers.
    pub(super) fn scalar(&self, s: &Scalar) -> Option<Number> {
        Some(match s {
            _ if s.ty() == ScalarTy::F32 => self.number(s)?,
            _ if s.ty() == ScalarTy::Bool => self.bit(s)?,
            Scalar::Int(v) => Number::int(*v),
            Scalar::I32(v) => Number::int((*v).into()),
            Scalar::Var(var) => match self.world.turn.context.definitions.get(*var) {
                Some(s) => self.scalar(s)?,
                None => self.number(s)?,
            },
            Scalar::Un(UnOp::Neg, a) => self.scalar(a)?.negated(),
            Scalar::Bin(op, a, b) => {
                let [a, b] = [self.scalar(a)?, self.scalar(b)?];
                self.joined(*op, a, b, s)?
            }
            Scalar::Select(c, a, b) => self.scalar(if self.truth(c)? { a } else { b })?,
            Scalar::Cast(_, a) if a.ty() != ScalarTy::F32 => self.scalar(a)?,
            _ => self.number(s)?,
        })
    }

    /// Evaluates a scalar as a number among elements: literals and sizes are drawn.
    pub(super) fn number(&self, s: &Scalar) -> Option<Number> {
        let world = self.world;
        let is_float = s.ty() == ScalarTy::F32;
        let size =
            |parts: &[u64]| Number::int(1 + (hash(&[&[world.seed], parts].concat()) % 5) as i64);
        Some(match s {
            _ if s.ty() == ScalarTy::Bool => self.bit(s)?,
            Scalar::Int(v) => self.literal(*v as f64, true),
            Scalar::I32(v) => self.literal(f64::from(*v), true),
            Scalar::Float(v) => self.literal(f64::from(*v), false),
            Scalar::Axis(axis) => size(&[3, u64::from(axis.0)]),
            Scalar::Attr(param, ScalarTy::Index) => size(&[4, u64::from(param.0)]),
            Scalar::Attr(param, _) => world.drawn(&[4, u64::from(param.0)], !is_float),
            Scalar::Chip(_) | Scalar::SizeOf(_) | Scalar::BlockIdx | Scalar::BlockDim => {
                size(&[12, self.shape(s)])
            }
            Scalar::Var(var) => {
                match (world.turn.context.definitions.get(*var), self.vars.get(var)) {
                    (Some(s), _) => self.number(s)?,
                    (None, Some(n)) => *n,
                    (None, None) => world.drawn(&[5, var.index() as u64], !is_float),
                }
            }
            Scalar::Un(UnOp::Neg, a) => self.number(a)?.negated(),
            Scalar::Un(_, a) if self.is_free_scalar(s) => {
                world.drawn(&[13, self.number(a)?.word()], false)
            }
            Scalar::Un(_, a) => {
                let a = self.number(a)?;
                Number::of(90, &[a], a.real().sqrt())
            }
            Scalar::Bin(BinOp::Div | BinOp::Rem | BinOp::CeilDiv | BinOp::AlignUp, ..)
                if !is_float && self.is_free_scalar(s) =>
            {
                self.anything(s)
            }
            Scalar::Bin(op, a, b) => {
                let [a, b] = [self.number(a)?, self.number(b)?];
                let n = self.joined(*op, a, b, s)?;
                // A product of literals and sizes may exceed the elements.
                if *op == BinOp::Mul && !is_float && n.real().abs() > 50.0 && self.is_free_scalar(s)
                {
                    self.anything(s)
                } else {
                    n
                }
            }
            Scalar::Select(c, a, b) => self.number(if self.truth(c)? { a } else { b })?,
            Scalar::Cast(to, a) if *to == ScalarTy::F32 || a.ty() != ScalarTy::F32 => {
                self.number(a)?
            }
            Scalar::Cast(_, a) => {
                let a = self.number(a)?;
                match self.is_free_scalar(s) {
                    true => rounded(a, RoundMode::Trunc),
                    false => Number::of(91, &[a], a.real().trunc()),
                }
            }
            Scalar::Bool(_) => return None,
        })
    }

    /// Returns an arbitrary number, equal for equal scalars. It is never 0, so it may divide.
    fn anything(&self, s: &Scalar) -> Number {
        let word = hash(&[self.world.seed, 14, self.shape(s)]);
        let (far, is_negative) = (2 + (word >> 8) % 40, word & 1 == 1);
        Number::int(if is_negative && self.may_be_negative(s) {
            -(far as i64)
        } else {
            far as i64
        })
    }

    fn may_be_negative(&self, s: &Scalar) -> bool {
        let mut may = false;
        s.walk(&mut |leaf| {
            may |= match leaf {
                Scalar::Int(v) => *v < 0,
                Scalar::I32(v) => *v < 0,
                Scalar::Axis(_)
                | Scalar::Chip(_)
                | Scalar::SizeOf(_)
                | Scalar::BlockIdx
                | Scalar::BlockDim => false,
                Scalar::Attr(_, ty) | Scalar::Cast(ty, _) => *ty != ScalarTy::Index,
                Scalar::Bin(op, ..) => *op == BinOp::Sub,
                _ => true,
            }
        });
        may
    }

    /// Hashes the structure of a scalar.
    fn shape(&self, s: &Scalar) -> u64 {
        match s {
            Scalar::Int(v) => hash(&[20, *v as u64]),
            Scalar::I32(v) => hash(&[20, i64::from(*v) as u64]),
            Scalar::Float(v) => hash(&[21, v.to_bits().into()]),
            Scalar::Bool(v) => hash(&[22, u64::from(*v)]),
            Scalar::Axis(axis) => hash(&[23, u64::from(axis.0)]),
            Scalar::Attr(param, _) => hash(&[24, u64::from(param.0)]),
            Scalar::Chip(fact) => hash(&[25, *fact as u64]),
            Scalar::SizeOf(_) => hash(&[26]),
            Scalar::BlockIdx => hash(&[27]),
            Scalar::BlockDim => hash(&[28]),
            Scalar::Var(var) => {
                match (
                    self.world.turn.context.definitions.get(*var),
                    self.vars.get(var),
                ) {
                    (Some(s), _) => self.shape(s),
                    (None, Some(n)) => hash(&[29, n.word()]),
                    (None, None) => hash(&[30, var.index() as u64]),
                }
            }
            Scalar::Un(op, a) => hash(&[31, *op as u64, self.shape(a)]),
            Scalar::Bin(op, a, b) => hash(&[32, *op as u64, self.shape(a), self.shape(b)]),
            Scalar::Select(c, a, b) => hash(&[33, self.shape(c), self.shape(a), self.shape(b)]),
            Scalar::Cast(to, a) => hash(&[34, *to as u64, self.shape(a)]),
        }
    }

    /// Evaluates `s`, which is `a op b`.
    fn joined(&self, op: BinOp, a: Number, b: Number, s: &Scalar) -> Option<Number> {
        Some(match op {
            BinOp::Add => a.plus(b),
            BinOp::Sub => a.minus(b),
            BinOp::Mul => a.times(b),
            BinOp::Div if s.ty() == ScalarTy::F32 => a.over(b),
            // A function without a law is a hash.
            _ if !self.is_free_scalar(s) => Number::of(100 + op as u64, &[a, b], f64::NAN),
            BinOp::Div => whole(a, b, i64::checked_div)?,
            BinOp::Rem => whole(a, b, i64::checked_rem)?,
            BinOp::CeilDiv => whole(a, b, |a, b| {
                a.checked_add(b)?.checked_sub(1)?.checked_div(b)
            })?,
            BinOp::AlignUp => whole(a, b, |a, b| {
                a.checked_add(b)?
                    .checked_sub(1)?
                    .checked_div(b)?
                    .checked_mul(b)
            })?,
            BinOp::Min => a.extreme(b, false),
            BinOp::Max => a.extreme(b, true),
            BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::And
            | BinOp::Or => return None,
        })
    }

    /// Evaluates a condition as a number. One that depends on the cut is a hash.
    fn bit(&self, s: &Scalar) -> Option<Number> {
        if self.is_free_scalar(s) {
            return self.truth(s).map(Number::bit);
        }
        Some(match s {
            Scalar::Var(var) => *self.vars.get(var)?,
            Scalar::Un(UnOp::Not, a) => Number::bit(!self.bit(a)?.is_set()),
            Scalar::Bin(BinOp::And, a, b) => {
                Number::bit(self.bit(a)?.is_set() && self.bit(b)?.is_set())
            }
            Scalar::Bin(BinOp::Or, a, b) => {
                Number::bit(self.bit(a)?.is_set() || self.bit(b)?.is_set())
            }
            Scalar::Bin(op, a, b) => {
                Number::bit_of(100 + *op as u64, &[self.number(a)?, self.number(b)?], 4)
            }
            _ => return None,
        })
    }

    /// Decides a condition that does not depend on the cut: by its flags, or by literals. Drawn
    /// sizes and numbers do not decide it, so it may hold or not.
    pub(super) fn truth(&self, s: &Scalar) -> Option<bool> {
        if !self.is_free_scalar(s) {
            return None;
        }
        Some(match s {
            Scalar::Bool(v) => *v,
            Scalar::Un(UnOp::Not, a) => !self.truth(a)?,
            Scalar::Bin(BinOp::And, a, b) => self.truth(a)? && self.truth(b)?,
            Scalar::Bin(BinOp::Or, a, b) => self.truth(a)? || self.truth(b)?,
            Scalar::Select(c, a, b) => self.truth(if self.truth(c)? { a } else { b })?,
            Scalar::Var(var) => {
                match (
                    self.world.turn.context.definitions.get(*var),
                    self.vars.get(var),
                ) {
                    (Some(s), _) => self.truth(s)?,
                    (None, Some(n)) => n.is_set(),
                    (None, None) => self.flag(s)?,
                }
            }
            _ => {
                let (flag, is_inverted) = compared(s);
                self.flag(&flag)? != is_inverted
            }
        })
    }

    fn flag(&self, flag: &Scalar) -> Option<bool> {
        let written = self.world.turn.context.definitions.write_out(flag);
        if let Some(at) = self.world.flags.iter().position(|own| *own == written) {
            return Some(self.world.chosen >> at & 1 == 1);
        }
        match flag {
            Scalar::Bin(op @ (BinOp::Lt | BinOp::Eq), a, b)
                if self.is_counted(a) && self.is_counted(b) =>
            {
                let [a, b] = [self.scalar(a)?, self.scalar(b)?];
                Some(if *op == BinOp::Lt {
                    a.real() < b.real()
                } else {
                    a.is_same(b)
                })
            }
            _ => Some(hash(&[self.world.seed, 15, self.shape(flag)]) & 1 == 1),
        }
    }

    /// Draws a number of the sign of a literal. Literals that laws are about keep their values.
    fn literal(&self, v: f64, is_whole: bool) -> Number {
        match v {
            _ if v.is_infinite() => Number::infinite(v > 0.0),
            _ if v.is_nan() => Number::NAN,
            0.0 | 1.0 | -1.0 => Number::int(v as i64),
            _ => {
                let word = hash(&[self.world.seed, 6, v.abs().to_bits()]);
                let n = match is_whole {
                    true => Number::int(2 + (word % 5) as i64),
                    false => Number::quarters(1 + (word % 15) as i64),
                };
                if v < 0.0 {
                    n.negated()
                } else {
                    n
                }
            }
        }
    }
}

fn whole(a: Number, b: Number, of: impl Fn(i64, i64) -> Option<i64>) -> Option<Number> {
    of(a.whole(), b.whole()).map(Number::int)
}
