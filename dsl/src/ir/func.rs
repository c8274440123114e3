//! Device functions of a lowered kernel.
//!
//! Vector calls whose form depends on sizes that only the host knows stand in a function, which is
//! called with these sizes.
//!
//! A function is a contract and a body of vector calls. Its first tensors and scalars are
//! parameters. The caller promises a number of elements behind each tensor, and the conditions that
//! the function requires. The function is therefore checked once, alone.

use super::queue::Body;
use super::text::{text_struct, text_word};
use super::{Scalar, VarId};
use crate::ops::contract::Access;

text_word!(Access { Read = "read", Write = "write", Add = "add", Max = "max", Min = "min", Any = "any", Disjoint = "disjoint", Scratch = "scratch", Line = "line" });

/// A function that contains vector calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Func {
    /// Name, which says what the function does.
    pub name: String,
    /// Description of the function as a sentence.
    pub doc: String,
    /// Tensor parameters: the first tensors of the body.
    pub tensors: Vec<FuncTensor>,
    /// Number of scalar parameters: the first variables of the body.
    pub scalars: usize,
    /// Conditions at a call, over the scalar parameters.
    pub requires: Vec<Scalar>,
    /// Statements, without queues, buffers and copies.
    pub body: Body,
}
text_struct!(Func "func" { name, doc, tensors, scalars, requires, body } line true);

/// A tensor parameter of a function.
#[derive(Clone, Debug, PartialEq)]
pub struct FuncTensor {
    /// Access of the function to the tensor.
    pub access: Access,
    /// Elements that it must have, in terms of the scalar parameters.
    pub elements: Scalar,
    /// A tensor that is read and that this one may overlay.
    pub over: Option<usize>,
}
text_struct!(FuncTensor "takes" { access, elements, over });

impl Func {
    /// Returns the scalar parameters.
    pub fn params(&self) -> impl Iterator<Item = VarId> + '_ {
        self.body.var_ids().take(self.scalars)
    }

    /// Substitutes the scalar arguments of a call in one of its formulas.
    pub fn given(&self, formula: &Scalar, scalars: &[Scalar]) -> Scalar {
        formula.replace(&|node| match node {
            Scalar::Var(v) if v.index() < self.scalars => scalars.get(v.index()).cloned(),
            _ => None,
        })
    }
}
