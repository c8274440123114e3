//! The one evaluator of scalar expressions: host tiling, launch checks and the simulator use it.

use crate::ir::{BinOp, ChipFact, Scalar, ScalarTy, UnOp, VarId};
use crate::soc::Chip;
use std::fmt;

/// A scalar's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// `usize` or `i32`.
    Int(i64),
    /// `f32`.
    F32(f32),
    /// `bool`.
    Bool(bool),
}

/// Why a scalar has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// Overflow of 64 bits.
    Overflow,
    /// Division by zero.
    DivisionByZero,
    /// A variable, axis, attribute or block index that has no value here; an internal error or malformed IR.
    Missing(String),
    /// An operator on operands it does not take; malformed IR.
    Type,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Overflow => f.write_str("an integer overflows 64 bits"),
            EvalError::DivisionByZero => f.write_str("a division by zero"),
            EvalError::Missing(what) => write!(f, "{what} has no value here"),
            EvalError::Type => f.write_str("an operator on operands of the wrong type"),
        }
    }
}
impl std::error::Error for EvalError {}

impl Value {
    /// The integer.
    ///
    /// # Errors
    /// [`EvalError::Type`] where it is none.
    pub fn as_int(self) -> Result<i64, EvalError> {
        match self {
            Value::Int(v) => Ok(v),
            _ => Err(EvalError::Type),
        }
    }
    /// The boolean.
    ///
    /// # Errors
    /// [`EvalError::Type`] where it is none.
    pub fn as_bool(self) -> Result<bool, EvalError> {
        match self {
            Value::Bool(v) => Ok(v),
            _ => Err(EvalError::Type),
        }
    }
    /// The value as `f32`, converting an integer.
    ///
    /// # Errors
    /// [`EvalError::Type`] for a boolean.
    pub fn as_f32(self) -> Result<f32, EvalError> {
        match self {
            Value::Int(v) => Ok(v as f32),
            Value::F32(v) => Ok(v),
            Value::Bool(_) => Err(EvalError::Type),
        }
    }
}

/// What the leaves stand for.
#[derive(Clone, Debug)]
pub struct Env<'a> {
    /// Size of each named axis.
    pub dims: &'a [i64],
    /// Value of each attribute, by parameter.
    pub attrs: &'a [Option<Value>],
    /// The chip.
    pub chip: &'a Chip,
    /// Value of each variable so far.
    pub vars: Vec<Option<Value>>,
    /// Block index and block dim, on a core.
    pub block: Option<(i64, i64)>,
}

impl Env<'_> {
    /// Value of a variable.
    ///
    /// # Errors
    /// [`EvalError::Missing`] before it was set.
    pub fn var(&self, id: VarId) -> Result<Value, EvalError> {
        self.vars.get(id.index()).copied().flatten().ok_or_else(|| EvalError::Missing(format!("variable ${}", id.index())))
    }
    /// Sets a variable.
    pub fn set(&mut self, id: VarId, value: Value) {
        if self.vars.len() <= id.index() {
            self.vars.resize(id.index() + 1, None);
        }
        self.vars[id.index()] = Some(value);
    }
}

/// Value of `s` in `env`.
///
/// # Errors
/// On overflow, division by zero, a leaf without value, or operands of the wrong type.
pub fn eval(s: &Scalar, env: &Env<'_>) -> Result<Value, EvalError> {
    Ok(match s {
        Scalar::Int(v) => Value::Int(*v),
        Scalar::Float(v) => Value::F32(*v),
        Scalar::Bool(v) => Value::Bool(*v),
        Scalar::Axis(a) => Value::Int(*env.dims.get(a.index()).ok_or_else(|| EvalError::Missing(format!("axis {}", a.0)))?),
        Scalar::Attr(p, _) => {
            env.attrs.get(p.index()).copied().flatten().ok_or_else(|| EvalError::Missing(format!("attribute {}", p.0)))?
        }
        Scalar::Chip(ChipFact::VectorCores) => Value::Int(env.chip.vector_cores),
        Scalar::Chip(ChipFact::UbBytes) => Value::Int(env.chip.ub_usable()),
        Scalar::Var(v) => env.var(*v)?,
        Scalar::SizeOf(_) => return Err(EvalError::Missing("size_of before lowering".into())),
        Scalar::BlockIdx => Value::Int(env.block.ok_or_else(|| EvalError::Missing("block_idx".into()))?.0),
        Scalar::BlockDim => Value::Int(env.block.ok_or_else(|| EvalError::Missing("block_dim".into()))?.1),
        Scalar::Un(op, a) => unary(*op, eval(a, env)?)?,
        Scalar::Bin(BinOp::And, a, b) => Value::Bool(eval(a, env)?.as_bool()? && eval(b, env)?.as_bool()?),
        Scalar::Bin(BinOp::Or, a, b) => Value::Bool(eval(a, env)?.as_bool()? || eval(b, env)?.as_bool()?),
        Scalar::Bin(op, a, b) => binary(*op, eval(a, env)?, eval(b, env)?)?,
        Scalar::Select(c, a, b) => eval(if eval(c, env)?.as_bool()? { a } else { b }, env)?,
        Scalar::Cast(ty, a) => cast(*ty, eval(a, env)?),
    })
}

fn unary(op: UnOp, a: Value) -> Result<Value, EvalError> {
    match (op, a) {
        (UnOp::Neg, Value::Int(v)) => v.checked_neg().map(Value::Int).ok_or(EvalError::Overflow),
        (UnOp::Neg, Value::F32(v)) => Ok(Value::F32(-v)),
        (UnOp::Not, Value::Bool(v)) => Ok(Value::Bool(!v)),
        (UnOp::Sqrt, v) => Ok(Value::F32(v.as_f32()?.sqrt())),
        _ => Err(EvalError::Type),
    }
}

fn binary(op: BinOp, a: Value, b: Value) -> Result<Value, EvalError> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => integer(op, a, b),
        (Value::Bool(a), Value::Bool(b)) => match op {
            BinOp::Eq => Ok(Value::Bool(a == b)),
            BinOp::Ne => Ok(Value::Bool(a != b)),
            _ => Err(EvalError::Type),
        },
        (a, b) => float(op, a.as_f32()?, b.as_f32()?),
    }
}

fn integer(op: BinOp, a: i64, b: i64) -> Result<Value, EvalError> {
    let zero = matches!(op, BinOp::Div | BinOp::Rem | BinOp::CeilDiv | BinOp::AlignUp) && b == 0;
    if zero {
        return Err(EvalError::DivisionByZero);
    }
    let ceil = |a: i64, b: i64| a.checked_div(b).map(|q| q + i64::from(a % b != 0 && (a < 0) == (b < 0)));
    let v = match op {
        BinOp::Add => a.checked_add(b),
        BinOp::Sub => a.checked_sub(b),
        BinOp::Mul => a.checked_mul(b),
        BinOp::Div => a.checked_div(b),
        BinOp::Rem => a.checked_rem(b),
        BinOp::CeilDiv => ceil(a, b),
        BinOp::AlignUp => ceil(a, b).and_then(|q| q.checked_mul(b)),
        BinOp::Min => Some(a.min(b)),
        BinOp::Max => Some(a.max(b)),
        BinOp::Lt => return Ok(Value::Bool(a < b)),
        BinOp::Le => return Ok(Value::Bool(a <= b)),
        BinOp::Gt => return Ok(Value::Bool(a > b)),
        BinOp::Ge => return Ok(Value::Bool(a >= b)),
        BinOp::Eq => return Ok(Value::Bool(a == b)),
        BinOp::Ne => return Ok(Value::Bool(a != b)),
        BinOp::And | BinOp::Or => return Err(EvalError::Type),
    };
    v.map(Value::Int).ok_or(EvalError::Overflow)
}

fn float(op: BinOp, a: f32, b: f32) -> Result<Value, EvalError> {
    Ok(match op {
        BinOp::Add => Value::F32(a + b),
        BinOp::Sub => Value::F32(a - b),
        BinOp::Mul => Value::F32(a * b),
        BinOp::Div => Value::F32(a / b),
        BinOp::Min => Value::F32(a.min(b)),
        BinOp::Max => Value::F32(a.max(b)),
        BinOp::Lt => Value::Bool(a < b),
        BinOp::Le => Value::Bool(a <= b),
        BinOp::Gt => Value::Bool(a > b),
        BinOp::Ge => Value::Bool(a >= b),
        BinOp::Eq => Value::Bool(a == b),
        BinOp::Ne => Value::Bool(a != b),
        BinOp::Rem | BinOp::CeilDiv | BinOp::AlignUp | BinOp::And | BinOp::Or => return Err(EvalError::Type),
    })
}

fn cast(ty: ScalarTy, v: Value) -> Value {
    match (ty, v) {
        (ScalarTy::F32, Value::Int(v)) => Value::F32(v as f32),
        (ScalarTy::Index, Value::F32(v)) => Value::Int(v as i64),
        (ScalarTy::I32, Value::F32(v)) => Value::Int(i64::from(v as i32)),
        (ScalarTy::I32, Value::Int(v)) => Value::Int(i64::from(v as i32)),
        (ScalarTy::Index | ScalarTy::I32, Value::Bool(v)) => Value::Int(i64::from(v)),
        (_, v) => v,
    }
}
