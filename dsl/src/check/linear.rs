//! Proofs about sizes: linear forms over opaque atoms, upper bounds through `min`, facts about shares.
//!
//! Small on purpose: enough for `at = start + i * tile`, `n = min(tile, len - i * tile)`. What it cannot prove becomes a
//! warning and a check at run time, never an error.

use crate::ir::{BinOp, Scalar, VarId};
use std::collections::BTreeMap;

/// What is known of the variables.
#[derive(Default)]
pub(super) struct Facts {
    /// Definitions of let-bound variables.
    pub lets: BTreeMap<VarId, Scalar>,
    /// Least value.
    pub least: BTreeMap<VarId, i64>,
    /// A larger or equal expression: the length of a share is at most the total less its start.
    pub at_most: BTreeMap<VarId, Scalar>,
    /// Known divisors.
    pub multiples: BTreeMap<VarId, i64>,
    /// Pairs of which the first is at most the second: what the kernel `require`s.
    pub ordered: Vec<(Scalar, Scalar)>,
}

/// `constant + Σ factor * atom`.
#[derive(Clone, Debug, Default)]
struct Linear {
    terms: Vec<(Scalar, i64)>,
    constant: i64,
}

impl Linear {
    fn add(&mut self, other: &Linear, factor: i64) {
        self.constant = self.constant.saturating_add(other.constant.saturating_mul(factor));
        for (atom, f) in &other.terms {
            match self.terms.iter_mut().find(|(a, _)| a == atom) {
                Some((_, g)) => *g += f * factor,
                None => self.terms.push((atom.clone(), f * factor)),
            }
        }
        self.terms.retain(|(_, f)| *f != 0);
    }
}

impl Facts {
    /// `s` with every let-bound variable replaced by its definition.
    pub fn inline(&self, s: &Scalar) -> Scalar {
        s.replace(&|leaf| match leaf {
            Scalar::Var(v) => self.lets.get(v).map(|d| self.inline(d)),
            _ => None,
        })
    }

    /// True where `a <= b` is proved.
    pub fn proves_le(&self, a: &Scalar, b: &Scalar) -> bool {
        let mut l = self.linear(&self.inline(a));
        l.add(&self.linear(&self.inline(b)), -1);
        self.never_positive(&l, 6)
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
            Scalar::Var(v) => match self.lets.get(v) {
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

    fn linear(&self, s: &Scalar) -> Linear {
        let mut out = Linear::default();
        match s {
            Scalar::Int(v) => out.constant = *v,
            Scalar::Bin(BinOp::Add, a, b) => {
                out.add(&self.linear(a), 1);
                out.add(&self.linear(b), 1);
            }
            Scalar::Bin(BinOp::Sub, a, b) => {
                out.add(&self.linear(a), 1);
                out.add(&self.linear(b), -1);
            }
            Scalar::Bin(BinOp::Mul, a, b) => match (a.as_int(), b.as_int()) {
                (Some(n), _) => out.add(&self.linear(b), n),
                (_, Some(n)) => out.add(&self.linear(a), n),
                _ => out.terms.push((s.clone(), 1)),
            },
            // Exact where the divisor is known to divide.
            Scalar::Bin(BinOp::Div, a, b) => match b.as_int() {
                Some(d) if d > 0 => {
                    let inner = self.linear(a);
                    let divides = inner.constant % d == 0 && inner.terms.iter().all(|(_, f)| f % d == 0);
                    if divides {
                        out.constant = inner.constant / d;
                        out.terms = inner.terms.into_iter().map(|(t, f)| (t, f / d)).collect();
                    } else {
                        out.terms.push((s.clone(), 1));
                    }
                }
                _ => out.terms.push((s.clone(), 1)),
            },
            _ => out.terms.push((s.clone(), 1)),
        }
        out
    }

    /// True where `l <= 0` for all values the facts allow.
    fn never_positive(&self, l: &Linear, fuel: u32) -> bool {
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
        if fuel == 0 {
            return false;
        }
        let replaced = |index: usize, by: &Scalar| {
            let mut next = l.clone();
            let (_, f) = next.terms.remove(index);
            next.add(&self.linear(&self.inline(by)), f);
            next
        };
        let by_atom = l.terms.iter().enumerate().any(|(i, (atom, f))| match atom {
            Scalar::Bin(BinOp::Min, a, b) if *f > 0 => {
                self.never_positive(&replaced(i, a), fuel - 1) || self.never_positive(&replaced(i, b), fuel - 1)
            }
            Scalar::Bin(BinOp::Max, a, b) if *f < 0 => {
                self.never_positive(&replaced(i, a), fuel - 1) || self.never_positive(&replaced(i, b), fuel - 1)
            }
            Scalar::Var(v) if *f > 0 => self.at_most.get(v).is_some_and(|m| self.never_positive(&replaced(i, m), fuel - 1)),
            _ => false,
        });
        // Adding the difference of an ordered pair can only make the form larger.
        by_atom
            || self.ordered.iter().any(|(low, high)| {
                let high = self.linear(&self.inline(high));
                let helps = high.terms.iter().any(|(atom, _)| l.terms.iter().any(|(a, f)| a == atom && *f < 0));
                let mut next = l.clone();
                next.add(&high, 1);
                next.add(&self.linear(&self.inline(low)), -1);
                helps && self.never_positive(&next, fuel - 1)
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
