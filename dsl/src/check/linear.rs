//! Sums of products of opaque atoms: the normal form in which sizes are compared.
//!
//! `(i + 1) * tile` and `i * tile + tile` have one form. What 64 bits cannot count has none, and a comparison of it is
//! never proved.

use crate::ir::{BinOp, Scalar, ScalarTy, UnOp};
use crate::lower::gcd;

/// More terms than any size of a kernel has; a product of longer sums stays unproved.
const MAX_TERMS: usize = 32;

/// Atoms that are multiplied, in any order.
pub(super) type Product = Vec<Scalar>;

/// `constant + Σ factor * product`, the factors never 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Linear {
    pub terms: Vec<(Product, i64)>,
    pub constant: i64,
}

impl Linear {
    pub fn constant(constant: i64) -> Linear {
        Linear { terms: Vec::new(), constant }
    }

    pub fn product(product: Product) -> Linear {
        Linear { terms: vec![(product, 1)], constant: 0 }
    }

    /// The form of `s`; `None` where a number overflows.
    pub fn of(s: &Scalar) -> Option<Linear> {
        match s {
            Scalar::Int(v) => Some(Linear::constant(*v)),
            // Numbers of 32 bits wrap round and floats round: only a `usize` is the sum it is written as.
            Scalar::Bin(_, a, _) | Scalar::Un(_, a) if a.ty() != ScalarTy::Index => Some(Linear::product(vec![s.clone()])),
            Scalar::Un(UnOp::Neg, a) => Linear::of(a)?.scaled(-1),
            Scalar::Bin(BinOp::Add, a, b) => Linear::of(a)?.plus(&Linear::of(b)?, 1),
            Scalar::Bin(BinOp::Sub, a, b) => Linear::of(a)?.plus(&Linear::of(b)?, -1),
            Scalar::Bin(BinOp::Mul, a, b) => Linear::of(a)?.times(&Linear::of(b)?),
            Scalar::Bin(op @ (BinOp::Div | BinOp::CeilDiv), a, b) => match b.as_int().filter(|d| *d > 0) {
                Some(d) => Linear::of(a)?.quotient(*op, d),
                None => Some(Linear::product(vec![s.clone()])),
            },
            // One form for what is rounded up, whichever way it is said.
            Scalar::Bin(BinOp::AlignUp, a, b) => match b.as_int().filter(|d| *d > 0) {
                Some(d) => Linear::of(a)?.quotient(BinOp::CeilDiv, d)?.scaled(d),
                None => Some(Linear::product(vec![s.clone()])),
            },
            _ => Some(Linear::product(vec![s.clone()])),
        }
    }

    /// `self + other * factor`.
    pub fn plus(&self, other: &Linear, factor: i64) -> Option<Linear> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (product, f) in &other.terms {
            sum.add_term(product, f.checked_mul(factor)?)?;
        }
        Some(sum)
    }

    fn add_term(&mut self, product: &Product, factor: i64) -> Option<()> {
        match self.terms.iter().position(|(p, _)| without(p, product).is_some_and(|rest| rest.is_empty())) {
            Some(i) => {
                self.terms[i].1 = self.terms[i].1.checked_add(factor)?;
                if self.terms[i].1 == 0 {
                    self.terms.remove(i);
                }
            }
            None if factor != 0 => self.terms.push((product.clone(), factor)),
            None => {}
        }
        (self.terms.len() <= MAX_TERMS).then_some(())
    }

    pub fn scaled(&self, factor: i64) -> Option<Linear> {
        Linear::default().plus(self, factor)
    }

    pub fn times(&self, other: &Linear) -> Option<Linear> {
        let mut out = self.scaled(other.constant)?;
        for (product, f) in &other.terms {
            out = out.plus(&self.times_product(product)?, *f)?;
        }
        Some(out)
    }

    /// Every term, the constant too, times `product`.
    pub fn times_product(&self, product: &Product) -> Option<Linear> {
        if product.is_empty() {
            return Some(self.clone());
        }
        let mut out = Linear::default();
        out.add_term(product, self.constant)?;
        for (own, f) in &self.terms {
            out.add_term(&own.iter().chain(product).cloned().collect(), *f)?;
        }
        Some(out)
    }

    /// `self / by` where that has no rest in any term.
    fn divided(&self, by: i64) -> Option<Linear> {
        let exact = |v: i64| (v.checked_rem(by)? == 0).then(|| v.checked_div(by))?;
        let terms = self.terms.iter().map(|(p, f)| Some((p.clone(), exact(*f)?))).collect::<Option<_>>()?;
        Some(Linear { terms, constant: exact(self.constant)? })
    }

    /// `self / by` rounded as `op` does, in lowest terms.
    fn quotient(&self, op: BinOp, by: i64) -> Option<Linear> {
        if let Some(exact) = self.divided(by) {
            return Some(exact);
        }
        let magnitude = |v: i64| v.checked_abs().unwrap_or(1);
        let common = self.terms.iter().map(|(_, f)| magnitude(*f)).fold(gcd(magnitude(self.constant), by), gcd);
        let (reduced, by) = (self.divided(common.max(1))?, by / common.max(1));
        // Rounding twice is rounding once by both.
        if let ([(product, 1)], 0) = (&reduced.terms[..], reduced.constant) {
            if let [Scalar::Bin(inner, x, first)] = &product[..] {
                if let (true, Some(both)) = (*inner == op, first.as_int().filter(|d| *d > 0).and_then(|d| d.checked_mul(by))) {
                    return Some(Linear::product(vec![(**x).clone().bin(op, both)]));
                }
            }
        }
        Some(Linear::product(vec![reduced.to_scalar().bin(op, by)]))
    }

    fn to_scalar(&self) -> Scalar {
        let product = |p: &Product| p.iter().cloned().reduce(|a, b| a * b);
        let terms = self.terms.iter().filter_map(|(p, f)| product(p).map(|p| p * *f));
        match terms.reduce(|a, b| a + b) {
            Some(sum) => sum + self.constant,
            None => Scalar::Int(self.constant),
        }
    }

    /// The form without its `index`-th term.
    pub fn without_term(&self, index: usize) -> Linear {
        let mut rest = self.clone();
        rest.terms.remove(index);
        rest
    }
}

/// The atoms of `product` that are left after those of `factor` are taken out; `None` where one is missing.
pub(super) fn without(product: &Product, factor: &[Scalar]) -> Option<Product> {
    let mut rest = product.clone();
    for atom in factor {
        let at = rest.iter().position(|a| a == atom)?;
        rest.remove(at);
    }
    Some(rest)
}
