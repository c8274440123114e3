//! The one definition of scalar operators, on values of one type.
//!
//! Constant folding, the host's tiling, range checks, the tile interpreter and the simulator call
//! these functions. Tests compare the emitted C++ with them. An operator takes operands of one type
//! and returns an error where it has no result:
//!
//! | type | arithmetic | division and remainder |
//! |---|---|---|
//! | `usize` | exact; a result that 64 bits with a sign do not hold is an error | toward zero; by zero is an error |
//! | `i32` | modulo 2^32, as the scalar unit computes in two's complement | toward zero; by zero is an error; `i32::MIN / -1` is `i32::MIN`, the remainder 0 |
//! | `f32` | IEEE, rounded after each operation; `min` and `max` take the operand that is no nan | IEEE; there is no remainder |
//!
//! - Rounding up (`CeilDiv`, `AlignUp`) takes positive divisors.
//! - A cast from `f32` truncates and saturates; nan becomes 0.
//! - A cast from `usize` to `i32` keeps the low 32 bits; `i32` to `usize` keeps the number.
//! - Comparisons of `f32` are IEEE's: nan equals nothing.
//! - `and`, `or` and `select` are no operators here, since they evaluate only the operands they
//!   need.

use crate::ir::{BinOp, ScalarTy, UnOp};
use std::fmt;

/// The value of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A value of `usize`.
    Int(i64),
    I32(i32),
    F32(f32),
    Bool(bool),
}

/// The reason that a scalar has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// A `usize` that leaves 64 bits.
    Overflow,
    DivisionByZero,
    /// Rounding up to a multiple of a negative number.
    NegativeDivisor,
    /// A variable, axis, attribute or block index without a value here: an internal error or
    /// malformed IR.
    Missing(String),
    /// An operator on operands that it does not take: malformed IR.
    Type,
}

impl EvalError {
    /// Returns the words of the error where they are always equal.
    pub const fn text(&self) -> Option<&'static str> {
        match self {
            EvalError::Overflow => Some("an integer overflows 64 bits"),
            EvalError::DivisionByZero => Some("a division by zero"),
            EvalError::NegativeDivisor => Some("a negative divisor where a quotient is rounded up"),
            EvalError::Type => Some("an operator on operands of the wrong type"),
            EvalError::Missing(_) => None,
        }
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.text()) {
            (EvalError::Missing(what), _) => write!(f, "{what} has no value here"),
            (_, text) => f.write_str(text.unwrap_or_default()),
        }
    }
}
impl std::error::Error for EvalError {}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(v) => write!(f, "{v}"),
            Value::I32(v) => write!(f, "{v}"),
            Value::F32(v) => write!(f, "{v:?}"),
            Value::Bool(v) => write!(f, "{v}"),
        }
    }
}

type Result<T> = std::result::Result<T, EvalError>;

impl Value {
    pub const fn ty(self) -> ScalarTy {
        match self {
            Value::Int(_) => ScalarTy::Index,
            Value::I32(_) => ScalarTy::I32,
            Value::F32(_) => ScalarTy::F32,
            Value::Bool(_) => ScalarTy::Bool,
        }
    }
    /// Makes a value of an integer type. A number that the type does not hold is cut to its low
    /// bits.
    ///
    /// # Errors
    /// [`EvalError::Type`] for a type that is no integer.
    pub fn whole(ty: ScalarTy, v: i64) -> Result<Value> {
        match ty {
            ScalarTy::Index => Ok(Value::Int(v)),
            ScalarTy::I32 => Ok(Value::I32(v as i32)),
            ScalarTy::F32 | ScalarTy::Bool => Err(EvalError::Type),
        }
    }
    /// Returns the number of an integer of either type.
    ///
    /// # Errors
    /// [`EvalError::Type`] for other values.
    pub fn as_int(self) -> Result<i64> {
        match self {
            Value::Int(v) => Ok(v),
            Value::I32(v) => Ok(v.into()),
            Value::F32(_) | Value::Bool(_) => Err(EvalError::Type),
        }
    }
    /// Returns the boolean.
    ///
    /// # Errors
    /// [`EvalError::Type`] for other values.
    pub fn as_bool(self) -> Result<bool> {
        match self {
            Value::Bool(v) => Ok(v),
            Value::Int(_) | Value::I32(_) | Value::F32(_) => Err(EvalError::Type),
        }
    }
    /// Returns the number as `f32`, converting an integer.
    ///
    /// # Errors
    /// [`EvalError::Type`] for a boolean.
    pub fn as_f32(self) -> Result<f32> {
        match self {
            Value::Int(v) => Ok(v as f32),
            Value::I32(v) => Ok(v as f32),
            Value::F32(v) => Ok(v),
            Value::Bool(_) => Err(EvalError::Type),
        }
    }
    /// Converts the value to another type.
    ///
    /// # Errors
    /// [`EvalError::Type`] for a conversion from `bool` to `f32`, or from another type to `bool`.
    pub fn cast(self, ty: ScalarTy) -> Result<Value> {
        Ok(match (ty, self) {
            (ScalarTy::Index, Value::F32(v)) => Value::Int(v as i64),
            (ScalarTy::I32, Value::F32(v)) => Value::I32(v as i32),
            (ScalarTy::Index, v @ (Value::Int(_) | Value::I32(_))) => Value::Int(v.as_int()?),
            (ScalarTy::I32, Value::Int(v)) => Value::I32(v as i32),
            (ScalarTy::Index | ScalarTy::I32, Value::Bool(v)) => Value::whole(ty, v.into())?,
            (ScalarTy::F32, v) => Value::F32(v.as_f32()?),
            (ty, v) if v.ty() == ty => v,
            _ => return Err(EvalError::Type),
        })
    }
}

/// Evaluates `op a`.
///
/// # Errors
/// Fails where the result has no value or the type has no such operator.
pub fn unary(op: UnOp, a: Value) -> Result<Value> {
    match a {
        Value::Int(a) => Operand::unary(op, a).map(Value::Int),
        Value::I32(a) => Operand::unary(op, a).map(Value::I32),
        Value::F32(a) => Operand::unary(op, a).map(Value::F32),
        Value::Bool(a) => Operand::unary(op, a).map(Value::Bool),
    }
}

/// Evaluates `a op b` on operands of one type.
///
/// # Errors
/// Fails where the result has no value or the type has no such operator.
pub fn binary(op: BinOp, a: Value, b: Value) -> Result<Value> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) if op.is_predicate() => {
            Operand::compare(op, a, b).map(Value::Bool)
        }
        (Value::I32(a), Value::I32(b)) if op.is_predicate() => {
            Operand::compare(op, a, b).map(Value::Bool)
        }
        (Value::F32(a), Value::F32(b)) if op.is_predicate() => {
            Operand::compare(op, a, b).map(Value::Bool)
        }
        (Value::Bool(a), Value::Bool(b)) => Operand::compare(op, a, b).map(Value::Bool),
        (Value::Int(a), Value::Int(b)) => Operand::binary(op, a, b).map(Value::Int),
        (Value::I32(a), Value::I32(b)) => Operand::binary(op, a, b).map(Value::I32),
        (Value::F32(a), Value::F32(b)) => Operand::binary(op, a, b).map(Value::F32),
        _ => Err(EvalError::Type),
    }
}

/// A type that operators compute on.
pub trait Operand: Copy + PartialOrd {
    /// Evaluates `op a`.
    ///
    /// # Errors
    /// Fails where the result has no value or the type has no such operator.
    fn unary(op: UnOp, a: Self) -> Result<Self>;

    /// Evaluates `a op b`, where `op` is no predicate.
    ///
    /// # Errors
    /// Fails where the result has no value or the type has no such operator.
    fn binary(op: BinOp, a: Self, b: Self) -> Result<Self>;

    /// Evaluates `a op b`, where `op` is a comparison.
    ///
    /// # Errors
    /// [`EvalError::Type`] for another operator, or one that the type does not have.
    #[inline]
    fn compare(op: BinOp, a: Self, b: Self) -> Result<bool> {
        Ok(match op {
            BinOp::Lt => a < b,
            BinOp::Le => a <= b,
            BinOp::Gt => a > b,
            BinOp::Ge => a >= b,
            BinOp::Eq => a == b,
            BinOp::Ne => a != b,
            _ => return Err(EvalError::Type),
        })
    }
}

impl Operand for i64 {
    #[inline]
    fn unary(op: UnOp, a: i64) -> Result<i64> {
        match op {
            UnOp::Neg => a.checked_neg().ok_or(EvalError::Overflow),
            UnOp::Not | UnOp::Sqrt => Err(EvalError::Type),
        }
    }

    #[inline]
    fn binary(op: BinOp, a: i64, b: i64) -> Result<i64> {
        let value = match op {
            BinOp::Add => a.checked_add(b),
            BinOp::Sub => a.checked_sub(b),
            BinOp::Mul => a.checked_mul(b),
            BinOp::Div => a.checked_div(divisor(op, b)?),
            BinOp::Rem => a.checked_rem(divisor(op, b)?),
            BinOp::CeilDiv => Some(ceil_div(a, divisor(op, b)?)),
            BinOp::AlignUp => ceil_div(a, divisor(op, b)?).checked_mul(b),
            BinOp::Min => Some(a.min(b)),
            BinOp::Max => Some(a.max(b)),
            _ => return Err(EvalError::Type),
        };
        value.ok_or(EvalError::Overflow)
    }
}

impl Operand for i32 {
    #[inline]
    fn unary(op: UnOp, a: i32) -> Result<i32> {
        match op {
            UnOp::Neg => Ok(a.wrapping_neg()),
            UnOp::Not | UnOp::Sqrt => Err(EvalError::Type),
        }
    }

    #[inline]
    fn binary(op: BinOp, a: i32, b: i32) -> Result<i32> {
        Ok(match op {
            BinOp::Add => a.wrapping_add(b),
            BinOp::Sub => a.wrapping_sub(b),
            BinOp::Mul => a.wrapping_mul(b),
            BinOp::Div => a.wrapping_div(divisor(op, b)?),
            BinOp::Rem => a.wrapping_rem(divisor(op, b)?),
            // With a positive divisor the quotient is never longer than the dividend.
            BinOp::CeilDiv => ceil_div(a.into(), divisor(op, b)?.into()) as i32,
            BinOp::AlignUp => (ceil_div(a.into(), divisor(op, b)?.into()) as i32).wrapping_mul(b),
            BinOp::Min => a.min(b),
            BinOp::Max => a.max(b),
            _ => return Err(EvalError::Type),
        })
    }
}

impl Operand for f32 {
    #[inline]
    fn unary(op: UnOp, a: f32) -> Result<f32> {
        match op {
            UnOp::Neg => Ok(-a),
            UnOp::Sqrt => Ok(a.sqrt()),
            UnOp::Not => Err(EvalError::Type),
        }
    }

    #[inline]
    fn binary(op: BinOp, a: f32, b: f32) -> Result<f32> {
        Ok(match op {
            BinOp::Add => a + b,
            BinOp::Sub => a - b,
            BinOp::Mul => a * b,
            BinOp::Div => a / b,
            // Spelled out: for zeros of different signs `f32::min` may return either one.
            BinOp::Min => choose(a < b || b.is_nan(), a, b),
            BinOp::Max => choose(a > b || b.is_nan(), a, b),
            _ => return Err(EvalError::Type),
        })
    }
}

impl Operand for bool {
    #[inline]
    fn unary(op: UnOp, a: bool) -> Result<bool> {
        match op {
            UnOp::Not => Ok(!a),
            UnOp::Neg | UnOp::Sqrt => Err(EvalError::Type),
        }
    }

    #[inline]
    fn binary(_: BinOp, _: bool, _: bool) -> Result<bool> {
        Err(EvalError::Type)
    }

    #[inline]
    fn compare(op: BinOp, a: bool, b: bool) -> Result<bool> {
        match op {
            BinOp::Eq => Ok(a == b),
            BinOp::Ne => Ok(a != b),
            _ => Err(EvalError::Type),
        }
    }
}

fn choose(first: bool, a: f32, b: f32) -> f32 {
    if first {
        a
    } else {
        b
    }
}

/// Checks that `op` takes a divisor and returns it.
fn divisor<T: Copy + Into<i64>>(op: BinOp, b: T) -> Result<T> {
    match b.into() {
        0 => Err(EvalError::DivisionByZero),
        ..0 if matches!(op, BinOp::CeilDiv | BinOp::AlignUp) => Err(EvalError::NegativeDivisor),
        _ => Ok(b),
    }
}

/// Divides and rounds toward plus infinity. The divisor is positive.
fn ceil_div(a: i64, b: i64) -> i64 {
    a / b + i64::from(a % b > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use BinOp::*;
    use Value::{Bool, Int, F32, I32};

    #[test]
    fn operators_mean_what_the_language_says() {
        let (least, most) = (i32::MIN, i32::MAX);
        for (op, a, b, want) in [
            (Mul, I32(100_000), I32(100_000), Ok(I32(1_410_065_408))),
            (Add, I32(most), I32(1), Ok(I32(least))),
            (Sub, I32(least), I32(1), Ok(I32(most))),
            (Div, I32(least), I32(-1), Ok(I32(least))),
            (Rem, I32(least), I32(-1), Ok(I32(0))),
            (Div, I32(-7), I32(2), Ok(I32(-3))),
            (Rem, I32(-7), I32(2), Ok(I32(-1))),
            (Div, I32(1), I32(0), Err(EvalError::DivisionByZero)),
            (AlignUp, I32(most), I32(2), Ok(I32(least))),
            (CeilDiv, I32(-7), I32(2), Ok(I32(-3))),
            (Add, Int(i64::MAX), Int(1), Err(EvalError::Overflow)),
            (Mul, Int(1 << 40), Int(1 << 40), Err(EvalError::Overflow)),
            (Div, Int(i64::MIN), Int(-1), Err(EvalError::Overflow)),
            (Rem, Int(1), Int(0), Err(EvalError::DivisionByZero)),
            (CeilDiv, Int(i64::MAX), Int(2), Ok(Int(1 << 62))),
            (CeilDiv, Int(7), Int(-2), Err(EvalError::NegativeDivisor)),
            (AlignUp, Int(7), Int(0), Err(EvalError::DivisionByZero)),
            (AlignUp, Int(i64::MAX), Int(2), Err(EvalError::Overflow)),
            (Div, F32(1.0), F32(0.0), Ok(F32(f32::INFINITY))),
            (Min, F32(f32::NAN), F32(1.0), Ok(F32(1.0))),
            (Max, F32(1.0), F32(f32::NAN), Ok(F32(1.0))),
            (Eq, F32(f32::NAN), F32(f32::NAN), Ok(Bool(false))),
            (Ne, F32(f32::NAN), F32(f32::NAN), Ok(Bool(true))),
            (Ne, Bool(true), Bool(false), Ok(Bool(true))),
            (Lt, Bool(true), Bool(false), Err(EvalError::Type)),
            (Add, Int(1), I32(1), Err(EvalError::Type)),
        ] {
            assert_eq!(binary(op, a, b), want, "{a:?} {} {b:?}", op.word());
        }
        assert_eq!(unary(UnOp::Neg, I32(least)), Ok(I32(least)));
        assert_eq!(unary(UnOp::Neg, Int(i64::MIN)), Err(EvalError::Overflow));
    }

    #[test]
    fn casts_saturate_floats_and_cut_integers() {
        for (from, ty, want) in [
            (F32(3e9), ScalarTy::I32, Ok(I32(i32::MAX))),
            (F32(-1.9), ScalarTy::I32, Ok(I32(-1))),
            (F32(f32::NAN), ScalarTy::Index, Ok(Int(0))),
            (F32(1e30), ScalarTy::Index, Ok(Int(i64::MAX))),
            (Int(3_000_000_000), ScalarTy::I32, Ok(I32(-1_294_967_296))),
            (I32(-1), ScalarTy::Index, Ok(Int(-1))),
            (Bool(true), ScalarTy::I32, Ok(I32(1))),
            (Bool(true), ScalarTy::F32, Err(EvalError::Type)),
            (Int(1), ScalarTy::Bool, Err(EvalError::Type)),
        ] {
            assert_eq!(from.cast(ty), want, "{from:?} as {}", ty.word());
        }
    }
}
