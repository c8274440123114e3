//! Sizes multiplied out, so that two spellings of one size are equal.

use super::{BinOp, Scalar, ScalarTy};
use std::collections::BTreeMap;

/// Most products of a sum that are followed; sizes that people write have a handful.
const MAX_TERMS: usize = 64;

/// A sum of products: the factors of each product in order, and its multiplicity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polynomial {
    terms: BTreeMap<Vec<String>, i64>,
}

/// Multiplies out `a - b`; `None` where that has too many terms or leaves 64 bits.
pub(crate) fn difference(a: &Scalar, b: &Scalar) -> Option<Polynomial> {
    Polynomial::of(a)?.plus(&Polynomial::of(b)?, -1)
}

/// True where both are equal for all axes and attributes.
pub(crate) fn is_same(a: &Scalar, b: &Scalar) -> bool {
    a == b || difference(a, b).and_then(|d| d.as_int()) == Some(0)
}

impl Polynomial {
    fn of(s: &Scalar) -> Option<Polynomial> {
        match s {
            Scalar::Int(v) => Some(Polynomial::term(Vec::new(), *v)),
            // Numbers of 32 bits wrap round: the rules of sums and products hold for a `usize`
            // only.
            Scalar::Bin(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a, b)
                if a.ty() == ScalarTy::Index =>
            {
                let (a, b) = (Polynomial::of(a)?, Polynomial::of(b)?);
                match op {
                    BinOp::Mul => a.times(&b),
                    BinOp::Sub => a.plus(&b, -1),
                    _ => a.plus(&b, 1),
                }
            }
            atom => Some(Polynomial::term(vec![format!("{atom:?}")], 1)),
        }
    }

    fn term(factors: Vec<String>, count: i64) -> Polynomial {
        Polynomial {
            terms: [(factors, count)]
                .into_iter()
                .filter(|(_, n)| *n != 0)
                .collect(),
        }
    }

    fn plus(mut self, other: &Polynomial, factor: i64) -> Option<Polynomial> {
        for (factors, n) in &other.terms {
            self.add(factors.clone(), n.checked_mul(factor)?)?;
        }
        Some(self)
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut out = Polynomial::default();
        for (left, n) in &self.terms {
            for (right, m) in &other.terms {
                let mut factors = [&left[..], &right[..]].concat();
                factors.sort_unstable();
                out.add(factors, n.checked_mul(*m)?)?;
            }
        }
        Some(out)
    }

    fn add(&mut self, factors: Vec<String>, count: i64) -> Option<()> {
        let sum = self
            .terms
            .get(&factors)
            .copied()
            .unwrap_or(0)
            .checked_add(count)?;
        match sum {
            0 => self.terms.remove(&factors),
            _ => self.terms.insert(factors, sum),
        };
        (self.terms.len() <= MAX_TERMS).then_some(())
    }

    /// Returns the number, if it is constant for all axes and attributes.
    pub fn as_int(&self) -> Option<i64> {
        match self.terms.iter().next() {
            None => Some(0),
            Some((factors, n)) if factors.is_empty() && self.terms.len() == 1 => Some(*n),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::AxisId;

    #[test]
    fn sizes_are_one_however_they_are_written() {
        let [n, d] = [0, 1].map(|i| Scalar::Axis(AxisId(i)));
        let two = |s: Scalar| Scalar::Int(2) * s;
        assert!(is_same(
            &(two(n.clone()) * d.clone()),
            &(d.clone() * (n.clone() + n.clone()))
        ));
        assert!(is_same(&two(n.clone() + 3), &(two(n.clone()) + 6)));
        assert!(!is_same(&(n.clone() * n.clone()), &(n.clone() * d.clone())));
        assert_eq!(
            difference(&(two(n.clone()) + 5), &two(n.clone() + 1)).and_then(|d| d.as_int()),
            Some(3)
        );
        // A quotient is rounded down, so it cannot be multiplied out.
        assert!(!is_same(&(Scalar::Int(4) * (n.clone() / 4)), &n));
        let huge = (0..9).fold(n.clone() + 1, |all, i| all * (Scalar::Axis(AxisId(i)) + 1));
        assert!(difference(&huge, &n).is_none());
        assert!(is_same(&huge, &huge));
        assert!(!is_same(&(Scalar::Int(i64::MAX) * n.clone() * 4), &n));
    }
}
