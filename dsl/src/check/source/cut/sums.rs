//! Scalars along one cut, multiplied out.
//!
//! `t.start()` alone is cut, but `t.end() - t.start() - t.len()` is 0: a sum of products shows it.
//! Unlike the forms of sizes (`facts`), these go through conversions, and through quotients of
//! floats as if they were exact.

use crate::check::prove::forms::{Forms, Linear, Node};
use crate::ir::{BinOp, Scalar, ScalarTy, UnOp};
use std::sync::Arc;

/// Multiplies out a scalar, whose atoms are leaves. Returns `None` if a form cannot hold the terms,
/// or if numbers overflow.
pub(super) fn sum(forms: &mut Forms, s: &Scalar) -> Option<Linear> {
    match s {
        Scalar::Int(v) => Some(Linear::constant(*v)),
        Scalar::I32(v) => Some(Linear::constant((*v).into())),
        Scalar::Float(v) if v.fract() == 0.0 && v.abs() < 1e9 => Some(Linear::constant(*v as i64)),
        Scalar::Bin(op @ (BinOp::Add | BinOp::Sub), a, b) => {
            sum(forms, a)?.plus(&sum(forms, b)?, if *op == BinOp::Add { 1 } else { -1 })
        }
        Scalar::Bin(BinOp::Mul, a, b) => {
            let (a, b) = (sum(forms, a)?, sum(forms, b)?);
            forms.times(&a, &b)
        }
        // A reciprocal is an atom.
        Scalar::Bin(BinOp::Div, a, b) if s.ty() == ScalarTy::F32 && **a != Scalar::Float(1.0) => {
            let one = Scalar::Bin(BinOp::Div, Arc::new(Scalar::Float(1.0)), b.clone());
            let (a, by) = (sum(forms, a)?, forms.of_node(Node::Leaf(one))?);
            forms.times(&a, &by)
        }
        Scalar::Un(UnOp::Neg, a) => sum(forms, a)?.scaled(-1),
        Scalar::Cast(ScalarTy::F32 | ScalarTy::I32 | ScalarTy::Index, a)
            if matches!(a.ty(), ScalarTy::Index | ScalarTy::I32) =>
        {
            sum(forms, a)
        }
        atom => forms.of_node(Node::Leaf(atom.clone())),
    }
}
