//! Scalars along one cut, as sums of products of atoms.
//!
//! `t.start()` alone is cut, and `t.end() - t.start() - t.len()` is the number 0: what a scalar is shows once it is multiplied out.

use crate::ir::{BinOp, Scalar, ScalarTy, UnOp};
use std::collections::BTreeMap;

/// `Σ factor * product of atoms`, of atoms by their numbers in order.
pub(super) type Sum = BTreeMap<Vec<usize>, i128>;

/// Most products of a sum that is multiplied out; those of kernels have a few.
const MOST_PRODUCTS: usize = 64;

/// The atoms that were met.
#[derive(Debug, Default)]
pub(super) struct Atoms(Vec<Scalar>);

impl Atoms {
    pub fn get(&self, atom: usize) -> &Scalar {
        &self.0[atom]
    }

    fn number(&mut self, s: &Scalar) -> usize {
        self.0.iter().position(|own| own == s).unwrap_or_else(|| {
            self.0.push(s.clone());
            self.0.len() - 1
        })
    }

    /// A scalar multiplied out; none where that has more terms than any kernel's, or where numbers overflow.
    pub fn sum(&mut self, s: &Scalar) -> Option<Sum> {
        match s {
            Scalar::Int(v) => Some(constant(i128::from(*v))),
            Scalar::I32(v) => Some(constant(i128::from(*v))),
            Scalar::Float(v) if v.fract() == 0.0 && v.abs() < 1e9 => Some(constant(*v as i128)),
            Scalar::Bin(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let (a, b) = (self.sum(a)?, self.sum(b)?);
                plus(a, &b, if *op == BinOp::Add { 1 } else { -1 })
            }
            Scalar::Bin(BinOp::Mul, a, b) => {
                let (a, b) = (self.sum(a)?, self.sum(b)?);
                times(&a, &b)
            }
            // A reciprocal is an atom.
            Scalar::Bin(BinOp::Div, a, b) if s.ty() == ScalarTy::F32 && **a != Scalar::Float(1.0) => {
                let one = Scalar::Bin(BinOp::Div, std::sync::Arc::new(Scalar::Float(1.0)), b.clone());
                let by = BTreeMap::from([(vec![self.number(&one)], 1)]);
                times(&self.sum(a)?, &by)
            }
            Scalar::Un(UnOp::Neg, a) => times(&self.sum(a)?, &constant(-1)),
            Scalar::Cast(ScalarTy::F32 | ScalarTy::I32 | ScalarTy::Index, a)
                if matches!(a.ty(), ScalarTy::Index | ScalarTy::I32) =>
            {
                self.sum(a)
            }
            Scalar::Float(_)
            | Scalar::Bool(_)
            | Scalar::Axis(_)
            | Scalar::Attr(..)
            | Scalar::Chip(_)
            | Scalar::Var(_)
            | Scalar::SizeOf(_)
            | Scalar::BlockIdx
            | Scalar::BlockDim
            | Scalar::Un(..)
            | Scalar::Bin(..)
            | Scalar::Select(..)
            | Scalar::Cast(..) => Some(BTreeMap::from([(vec![self.number(s)], 1)])),
        }
    }
}

fn constant(v: i128) -> Sum {
    if v == 0 {
        Sum::new()
    } else {
        BTreeMap::from([(Vec::new(), v)])
    }
}

/// `a + b * factor`.
pub(super) fn plus(mut a: Sum, b: &Sum, factor: i128) -> Option<Sum> {
    for (product, f) in b {
        let own = a.entry(product.clone()).or_insert(0);
        *own = own.checked_add(f.checked_mul(factor)?)?;
    }
    a.retain(|_, f| *f != 0);
    (a.len() <= MOST_PRODUCTS).then_some(a)
}

/// `a * b`.
pub(super) fn times(a: &Sum, b: &Sum) -> Option<Sum> {
    let mut out = Sum::new();
    for (p, f) in a {
        for (q, g) in b {
            let mut product: Vec<usize> = p.iter().chain(q).copied().collect();
            product.sort_unstable();
            out = plus(out, &BTreeMap::from([(product, f.checked_mul(*g)?)]), 1)?;
        }
    }
    Some(out)
}
