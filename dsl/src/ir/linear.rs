//! Sums of multiples, and definitions written out in terms of their parts.
//!
//! Variables share their definitions, trees do not: twenty names, each the sum of the two before
//! it, write out to a million terms. A definition is therefore written out while it stays small.
//! Sums are gathered before that is given up, and a definition that is still large stays a name.

use super::{BinOp, Scalar, ScalarTy, VarId};
use std::collections::BTreeMap;

/// Most nodes of a definition that is written out; sizes that people write have some twenty.
const MAX_NODES: usize = 300;

/// A sum `constant + Σ factor * atom`, of numbers whose negation does not overflow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Linear {
    pub terms: Vec<(Scalar, i64)>,
    pub constant: i64,
}

impl Linear {
    /// Reads an integer expression as a sum. An expression that is no sum, or overflows 64 bits, is
    /// an atom.
    pub fn of(s: &Scalar) -> Linear {
        Linear::sum(s).unwrap_or_else(|| Linear::atom(s))
    }

    fn atom(s: &Scalar) -> Linear {
        Linear {
            terms: vec![(s.clone(), 1)],
            constant: 0,
        }
    }

    fn sum(s: &Scalar) -> Option<Linear> {
        let mut out = Linear::default();
        match s {
            Scalar::Int(v) => out.constant = has_opposite(*v)?,
            Scalar::I32(v) => out.constant = (*v).into(),
            // Numbers of 32 bits wrap round and floats round: only a `usize` is the sum that it is
            // written as.
            Scalar::Bin(_, a, _) if a.ty() != ScalarTy::Index => return None,
            Scalar::Bin(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                out.add(&Linear::of(a), 1)?;
                out.add(&Linear::of(b), if *op == BinOp::Add { 1 } else { -1 })?;
            }
            Scalar::Bin(BinOp::Mul, a, b) => {
                // A factor may be a sum that is constant.
                let (a, b) = (Linear::of(a), Linear::of(b));
                match (a.as_int(), b.as_int()) {
                    (Some(n), _) => out.add(&b, n)?,
                    (_, Some(n)) => out.add(&a, n)?,
                    (None, None) => return None,
                }
            }
            // Exact where the divisor is known to divide.
            Scalar::Bin(BinOp::Div, a, b) => {
                let d = b.as_int().filter(|d| *d > 0)?;
                let inner = Linear::of(a);
                if inner.constant % d != 0 || inner.terms.iter().any(|(_, f)| f % d != 0) {
                    return None;
                }
                out.constant = inner.constant / d;
                out.terms = inner.terms.into_iter().map(|(t, f)| (t, f / d)).collect();
            }
            _ => return None,
        }
        Some(out)
    }

    fn as_int(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Adds `factor` times `other`. `None` where that overflows; the sum is then of no use any
    /// more.
    pub fn add(&mut self, other: &Linear, factor: i64) -> Option<()> {
        self.constant = self
            .constant
            .checked_add(other.constant.checked_mul(factor)?)
            .and_then(has_opposite)?;
        for (atom, f) in &other.terms {
            let f = f.checked_mul(factor)?;
            match self.terms.iter_mut().find(|(a, _)| a == atom) {
                Some((_, g)) => *g = g.checked_add(f).and_then(has_opposite)?,
                None => self.terms.push((atom.clone(), has_opposite(f)?)),
            }
        }
        self.terms.retain(|(_, f)| *f != 0);
        Some(())
    }

    fn to_scalar(&self) -> Scalar {
        let sum = self
            .terms
            .iter()
            .map(|(atom, f)| atom.clone() * *f)
            .reduce(|a, b| a + b);
        match sum {
            Some(sum) => sum + self.constant,
            None => Scalar::Int(self.constant),
        }
    }
}

pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 {
        a
    } else {
        gcd(b, a % b)
    }
}

/// Returns the number, unless it is the least of 64 bits, whose negation overflows.
pub(crate) fn has_opposite(v: i64) -> Option<i64> {
    (v != i64::MIN).then_some(v)
}

/// Gathers the sums of a size, as people write it: positive terms first, numbers last.
pub fn tidied(s: &Scalar) -> Scalar {
    let Linear {
        mut terms,
        constant,
    } = Linear::of(s);
    terms.sort_by_key(|(_, f)| *f < 0);
    let mut sum: Option<Scalar> = None;
    for (atom, f) in terms {
        let size = f.abs();
        let term = || atom.clone() * size;
        sum = Some(match sum {
            None if f < 0 => Scalar::un(super::UnOp::Neg, term()),
            None => term(),
            Some(sum) if f < 0 => sum - term(),
            Some(sum) => sum + term(),
        });
    }
    match sum {
        None => Scalar::Int(constant),
        Some(sum) if constant < 0 => sum - -constant,
        Some(sum) => sum + constant,
    }
}

/// Definitions of variables, written out in terms of variables without a definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    /// `None` for a definition that is too large to be written out.
    written: BTreeMap<VarId, Option<Scalar>>,
}

impl Definitions {
    /// Notes that `var` stands for `value`. Returns false where that is too large: the variable
    /// stays a name.
    pub fn define(&mut self, var: VarId, value: &Scalar) -> bool {
        let mut value = self.write_out(value);
        if !is_small(&value) && var.ty() == ScalarTy::Index {
            value = Linear::of(&value).to_scalar();
        }
        let small = is_small(&value);
        self.written.insert(var, small.then_some(value));
        small
    }

    /// Returns the definition of a variable that is written out.
    pub fn get(&self, var: VarId) -> Option<&Scalar> {
        self.written.get(&var)?.as_ref()
    }

    /// Replaces every variable of `s` by its definition.
    pub fn write_out(&self, s: &Scalar) -> Scalar {
        s.replace(&|leaf| match leaf {
            Scalar::Var(v) => self.get(*v).cloned(),
            _ => None,
        })
    }
}

fn is_small(s: &Scalar) -> bool {
    let mut nodes = 0;
    s.walk(&mut |_| nodes += 1);
    nodes <= MAX_NODES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(index: usize) -> VarId {
        VarId::new(index, ScalarTy::Index)
    }

    fn chain(last: usize, step: impl Fn(Scalar) -> Scalar) -> Definitions {
        let mut definitions = Definitions::default();
        for i in 1..=last {
            definitions.define(var(i), &step(Scalar::Var(var(i - 1))));
        }
        definitions
    }

    #[test]
    fn sums_of_sums_are_gathered_and_other_long_definitions_stay_names() {
        let doubled = chain(40, |q| q.clone() + q);
        let terms = doubled.get(var(40)).map(|s| Linear::of(s).terms);
        assert_eq!(terms, Some(vec![(Scalar::Var(var(0)), 1 << 40)]));
        // Beyond 64 bits a sum cannot be gathered; the names before it still are.
        assert!(chain(80, |q| q.clone() + q).get(var(62)).is_some());
        let squared = chain(40, |q| q.clone().max(1) * q);
        assert!(squared.get(var(3)).is_some());
        assert!(squared.get(var(40)).is_none_or(is_small));
    }
}
