//! Device functions of a lowered kernel: what is called with sizes that only the host knows, since the form of a call depends
//! on them.
//!
//! A function is a contract and a body of vector calls. Its first tensors and scalars are parameters; whoever calls it promises
//! so many elements behind each tensor and that what it requires holds, and so it is checked once, alone.

use super::queue::Body;
use super::text::{text_struct, text_word};
use super::{Scalar, VarId};
use crate::ops::contract::Access;

text_word!(Access { Read = "read", Write = "write", Add = "add", Max = "max", Min = "min", Any = "any", Disjoint = "disjoint", Scratch = "scratch", Line = "line" });

/// A function that vector calls are made in.
#[derive(Clone, Debug, PartialEq)]
pub struct Func {
    /// Its name, which says what it does.
    pub name: String,
    /// The same as a sentence.
    pub doc: String,
    /// Its tensors: the first ones of the body.
    pub tensors: Vec<FuncTensor>,
    /// How many of the body's variables, the first ones, are parameters.
    pub scalars: usize,
    /// What holds where it is called, in terms of its scalars.
    pub requires: Vec<Scalar>,
    /// What it does; without queues, buffers and copies.
    pub body: Body,
}
text_struct!(Func "func" { name, doc, tensors, scalars, requires, body } line true);

/// A tensor that a function is given.
#[derive(Clone, Debug, PartialEq)]
pub struct FuncTensor {
    /// What is done with it.
    pub access: Access,
    /// Elements that it must have, in terms of the function's scalars.
    pub elements: Scalar,
    /// A tensor that is read and in whose place it may lie.
    pub over: Option<usize>,
}
text_struct!(FuncTensor "takes" { access, elements, over });

impl Func {
    /// The scalars that it is given.
    pub fn params(&self) -> impl Iterator<Item = VarId> + '_ {
        self.body.var_ids().take(self.scalars)
    }

    /// One of its formulas with what a call gives for its scalars.
    pub fn given(&self, formula: &Scalar, scalars: &[Scalar]) -> Scalar {
        formula.replace(&|node| match node {
            Scalar::Var(v) if v.index() < self.scalars => scalars.get(v.index()).cloned(),
            _ => None,
        })
    }
}
