//! Evaluates scalar expressions, for host tiling, launch checks and the tile interpreter.
//!
//! [`crate::scalar`] defines the operators. This module looks up the leaves, and evaluates only the
//! needed operands of `and`, `or` and `select`.

use crate::ir::{BinOp, ChipFact, Scalar, ScalarTy, VarId};
use crate::scalar::{binary, unary, EvalError, Value};
use crate::soc::Chip;

/// The values of the leaves.
#[derive(Clone, Debug)]
pub struct Env<'a> {
    /// Size of each named axis.
    pub dims: &'a [i64],
    /// Value of each attribute, by parameter.
    pub attrs: &'a [Option<Value>],
    pub chip: &'a Chip,
    /// Value of each variable so far.
    pub vars: Vec<Option<Value>>,
    /// Block index and block dim, on a core.
    pub block: Option<(i64, i64)>,
}

impl Env<'_> {
    /// Returns the value of a variable.
    ///
    /// # Errors
    /// [`EvalError::Missing`] before it was set.
    pub fn var(&self, id: VarId) -> Result<Value, EvalError> {
        self.vars
            .get(id.index())
            .copied()
            .flatten()
            .ok_or_else(|| EvalError::Missing(format!("variable ${}", id.index())))
    }
    pub fn set(&mut self, id: VarId, value: Value) {
        if self.vars.len() <= id.index() {
            self.vars.resize(id.index() + 1, None);
        }
        self.vars[id.index()] = Some(value);
    }
}

/// Evaluates `s` in `env`.
///
/// # Errors
/// Fails on overflow, division by zero, a leaf without value, or operands of the wrong type.
pub fn eval(s: &Scalar, env: &Env<'_>) -> Result<Value, EvalError> {
    Ok(match s {
        Scalar::Int(v) => Value::Int(*v),
        Scalar::I32(v) => Value::I32(*v),
        Scalar::Float(v) => Value::F32(*v),
        Scalar::Bool(v) => Value::Bool(*v),
        Scalar::Axis(a) => Value::Int(
            *env.dims
                .get(a.index())
                .ok_or_else(|| EvalError::Missing(format!("axis {}", a.0)))?,
        ),
        Scalar::Attr(p, ty) => {
            let value = env.attrs.get(p.index()).copied().flatten();
            typed(
                value.ok_or_else(|| EvalError::Missing(format!("attribute {}", p.0)))?,
                *ty,
            )?
        }
        Scalar::Chip(ChipFact::VectorCores) => Value::Int(env.chip.vector_cores),
        Scalar::Chip(ChipFact::UbBytes) => Value::Int(env.chip.ub_usable()),
        Scalar::Chip(ChipFact::L2Bytes) => Value::Int(env.chip.l2_bytes),
        Scalar::Var(v) => typed(env.var(*v)?, v.ty())?,
        Scalar::SizeOf(_) => return Err(EvalError::Missing("size_of before lowering".into())),
        Scalar::BlockIdx => Value::Int(
            env.block
                .ok_or_else(|| EvalError::Missing("block_idx".into()))?
                .0,
        ),
        Scalar::BlockDim => Value::Int(
            env.block
                .ok_or_else(|| EvalError::Missing("block_dim".into()))?
                .1,
        ),
        Scalar::Un(op, a) => unary(*op, eval(a, env)?)?,
        Scalar::Bin(BinOp::And, a, b) => {
            Value::Bool(eval(a, env)?.as_bool()? && eval(b, env)?.as_bool()?)
        }
        Scalar::Bin(BinOp::Or, a, b) => {
            Value::Bool(eval(a, env)?.as_bool()? || eval(b, env)?.as_bool()?)
        }
        Scalar::Bin(op, a, b) => binary(*op, eval(a, env)?, eval(b, env)?)?,
        Scalar::Select(c, a, b) => eval(if eval(c, env)?.as_bool()? { a } else { b }, env)?,
        Scalar::Cast(ty, a) => eval(a, env)?.cast(*ty)?,
    })
}

/// Checks that a value has the type of the leaf that it stands for.
fn typed(value: Value, ty: ScalarTy) -> Result<Value, EvalError> {
    if value.ty() == ty {
        Ok(value)
    } else {
        Err(EvalError::Type)
    }
}
