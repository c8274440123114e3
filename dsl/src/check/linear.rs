//! Proofs about sizes: linear forms over opaque atoms, upper bounds through `min`, facts about shares.
//!
//! Small on purpose: enough for `at = start + i * tile`, `n = min(tile, len - i * tile)`. What it cannot prove becomes a
//! warning and a check at run time, never an error.

use crate::ir::linear::{Definitions, Linear};
use crate::ir::{BinOp, Scalar, ScalarTy, VarId};
use std::collections::BTreeMap;

/// Steps of one proof: each pair of facts multiplies the ways to go, and a proof that people see takes a dozen.
const MAX_STEPS: u32 = 4000;

/// What is known of the variables.
#[derive(Default)]
pub(super) struct Facts {
    /// Definitions of let-bound variables.
    lets: Definitions,
    /// Least value.
    pub least: BTreeMap<VarId, i64>,
    /// A larger or equal expression: the length of a share is at most the total less its start.
    pub at_most: BTreeMap<VarId, Scalar>,
    /// Known divisors.
    pub multiples: BTreeMap<VarId, i64>,
    /// Pairs of which the first is at most the second: what the kernel `require`s.
    pub ordered: Vec<(Scalar, Scalar)>,
}

impl Facts {
    /// Notes that `var` stands for `value`; of a definition too long to be written out the divisor and the least value.
    pub fn define(&mut self, var: VarId, ty: ScalarTy, value: &Scalar) {
        if !self.lets.define(var, ty, value) {
            let multiple = self.multiple_of(value);
            self.multiples.insert(var, multiple);
            if let Some(least) = self.least_of(value) {
                self.least.insert(var, least);
            }
        }
    }

    /// `s` with every let-bound variable replaced by its definition.
    pub fn inline(&self, s: &Scalar) -> Scalar {
        self.lets.write_out(s)
    }

    /// True where `a <= b` is proved.
    pub fn proves_le(&self, a: &Scalar, b: &Scalar) -> bool {
        let mut l = Linear::of(&self.inline(a));
        let mut steps = MAX_STEPS;
        l.add(&Linear::of(&self.inline(b)), -1).is_some() && self.never_positive(&l, 6, &mut steps)
    }

    /// Takes a `require`d condition as known.
    pub fn assume(&mut self, cond: &Scalar) {
        let Scalar::Bin(op, a, b) = cond else { return };
        let (a, b) = (&**a, &**b);
        let after = |s: &Scalar| s.clone() + 1;
        match op {
            BinOp::And => {
                self.assume(a);
                self.assume(b);
            }
            BinOp::Le => self.ordered.push((a.clone(), b.clone())),
            BinOp::Ge => self.ordered.push((b.clone(), a.clone())),
            BinOp::Lt => self.ordered.push((after(a), b.clone())),
            BinOp::Gt => self.ordered.push((after(b), a.clone())),
            BinOp::Eq => self.ordered.extend([(a.clone(), b.clone()), (b.clone(), a.clone())]),
            _ => {}
        }
    }

    /// The largest number known to divide `s`.
    pub fn multiple_of(&self, s: &Scalar) -> i64 {
        let gcd = crate::lower::gcd;
        match s {
            Scalar::Int(0) => 0,
            Scalar::Int(v) => v.unsigned_abs() as i64,
            Scalar::Var(v) => match self.lets.get(*v) {
                Some(d) => self.multiple_of(d),
                None => self.multiples.get(v).copied().unwrap_or(1),
            },
            Scalar::Bin(BinOp::Mul, a, b) => self.multiple_of(a).saturating_mul(self.multiple_of(b)),
            Scalar::Bin(BinOp::Add | BinOp::Sub | BinOp::Min | BinOp::Max, a, b) => gcd(self.multiple_of(a), self.multiple_of(b)),
            Scalar::Bin(BinOp::AlignUp, _, b) => b.as_int().unwrap_or(1),
            Scalar::Bin(BinOp::Div, a, b) => match (self.multiple_of(a), b.as_int()) {
                (m, Some(d)) if d > 0 && m % d == 0 => m / d,
                _ => 1,
            },
            Scalar::Select(_, a, b) => gcd(self.multiple_of(a), self.multiple_of(b)),
            _ => 1,
        }
    }

    /// True where `l <= 0` for all values the facts allow.
    fn never_positive(&self, l: &Linear, fuel: u32, steps: &mut u32) -> bool {
        let mut upper = Some(l.constant);
        for (atom, f) in &l.terms {
            let bound = if *f < 0 { self.least_of(atom) } else { None };
            upper = match (upper, bound) {
                (Some(u), Some(least)) => u.checked_add(least.saturating_mul(*f)),
                _ => None,
            };
        }
        if upper.is_some_and(|u| u <= 0) {
            return true;
        }
        if fuel == 0 || *steps == 0 {
            return false;
        }
        *steps -= 1;
        let mut replaced = |index: usize, by: &Scalar| {
            let mut next = l.clone();
            let (_, f) = next.terms.remove(index);
            next.add(&Linear::of(&self.inline(by)), f).is_some() && self.never_positive(&next, fuel - 1, steps)
        };
        let by_atom = l.terms.iter().enumerate().any(|(i, (atom, f))| match atom {
            Scalar::Bin(BinOp::Min, a, b) if *f > 0 => replaced(i, a) || replaced(i, b),
            Scalar::Bin(BinOp::Max, a, b) if *f < 0 => replaced(i, a) || replaced(i, b),
            Scalar::Var(v) if *f > 0 => self.at_most.get(v).is_some_and(|m| replaced(i, m)),
            _ => false,
        });
        // Adding the difference of an ordered pair can only make the form larger.
        by_atom
            || self.ordered.iter().any(|(low, high)| {
                let high = Linear::of(&self.inline(high));
                let helps = high.terms.iter().any(|(atom, _)| l.terms.iter().any(|(a, f)| a == atom && *f < 0));
                let mut next = l.clone();
                helps
                    && next.add(&high, 1).is_some()
                    && next.add(&Linear::of(&self.inline(low)), -1).is_some()
                    && self.never_positive(&next, fuel - 1, steps)
            })
    }

    /// A lower bound of an atom.
    fn least_of(&self, s: &Scalar) -> Option<i64> {
        match s {
            Scalar::Axis(_) | Scalar::BlockIdx => Some(0),
            Scalar::BlockDim | Scalar::Chip(_) => Some(1),
            Scalar::Int(v) => Some(*v),
            Scalar::Var(v) => self.least.get(v).copied(),
            Scalar::Bin(BinOp::Mul, a, b) => match (self.least_of(a)?, self.least_of(b)?) {
                (x, y) if x >= 0 && y >= 0 => x.checked_mul(y),
                _ => None,
            },
            Scalar::Bin(BinOp::Add, a, b) => self.least_of(a)?.checked_add(self.least_of(b)?),
            Scalar::Bin(BinOp::Min, a, b) => Some(self.least_of(a)?.min(self.least_of(b)?)),
            Scalar::Bin(BinOp::Max, a, b) => match (self.least_of(a), self.least_of(b)) {
                (Some(x), Some(y)) => Some(x.max(y)),
                (x, y) => x.or(y),
            },
            _ => None,
        }
    }
}
