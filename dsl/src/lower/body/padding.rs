//! Facts about the padding of rows.
//!
//! A reduction fills the padding with its neutral value. Element-wise ops over several rows also
//! compute their padding, so its content stays known. (An op on one row computes its elements
//! alone.) A reduction does not fill padding that is neutral already.
//!
//! - Only floats are filled, and only for row lengths that need it. That condition is equal for
//!   values of one element type, so nothing is known about the result of a cast.
//! - Nothing is known about mutable values.

use super::shapes::Values;
use crate::ir::{Operand, Scalar, TileExpr, ValueId};
use crate::lower::func::Reduce;
use crate::ops::{BinaryOp, Eval, Op, UnaryOp};
use std::collections::BTreeMap;

/// The number in the padding of each row, for values of which it is known.
#[derive(Clone, Default)]
pub(super) struct Padding(BTreeMap<ValueId, f32>);

impl Padding {
    /// True if the padding of a value changes no result of the reduction.
    pub(super) fn is_neutral(&self, v: ValueId, op: Reduce) -> bool {
        self.0.get(&v) == Some(&op.neutral())
    }

    /// Notes that a reduction has filled the padding of a value.
    pub(super) fn filled(&mut self, v: ValueId, op: Reduce, values: &Values<'_>) {
        if !values.is_mutable(v) {
            self.0.insert(v, op.neutral());
        }
    }

    /// Notes the definition of a value by `expr`.
    pub(super) fn defined(&mut self, v: ValueId, expr: &TileExpr, values: &Values<'_>) {
        let runs_over = || {
            values
                .tile(v)
                .is_ok_and(|tile| tile.live_rows() != Scalar::Int(1))
        };
        match self
            .made(v, expr, values)
            .filter(|_| !values.is_mutable(v) && runs_over())
        {
            Some(number) => self.0.insert(v, number),
            None => self.0.remove(&v),
        };
    }

    /// Computes the padding of an expression from that of its operands. A broadcast value has none.
    fn made(&self, v: ValueId, expr: &TileExpr, values: &Values<'_>) -> Option<f32> {
        let number = |a: &Operand| match a {
            Operand::Value { value } => self.0.get(value).copied(),
            Operand::Scalar {
                value: Scalar::Float(number),
            } => Some(*number),
            Operand::Scalar { .. } => None,
        };
        let made = match expr {
            TileExpr::Copy { value } if values.axes(*value) == values.axes(v) => {
                self.0.get(value).copied()
            }
            TileExpr::Op {
                op: Op::Binary(op),
                args,
            } => match &args[..] {
                [a, b] => binary(*op, number(a)?, number(b)?),
                _ => None,
            },
            TileExpr::Op {
                op: Op::Unary(op),
                args,
            } => match &args[..] {
                [a] => unary(*op, number(a)?),
                _ => None,
            },
            TileExpr::Op { .. }
            | TileExpr::Reduce { .. }
            | TileExpr::Load { .. }
            | TileExpr::Fill { .. } => None,
            TileExpr::Iota { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. }
            | TileExpr::LoadOr { .. } => None,
            TileExpr::Copy { .. }
            | TileExpr::Pick { .. }
            | TileExpr::Top { .. }
            | TileExpr::Scan { .. } => None,
            TileExpr::Cast { .. } | TileExpr::Truncate { .. } | TileExpr::Round { .. } => None,
        };
        // Other numbers are neutral for no reduction. These are equal in every type and independent
        // of rounding.
        made.filter(|number| *number == 0.0 || number.is_infinite())
    }
}

fn binary(op: BinaryOp, a: f32, b: f32) -> Option<f32> {
    let def = Op::Binary(op).def();
    match def.eval {
        Eval::Binary(run, _) if def.is_exact() => Some(one(|to| run(to, &[a], &[b]))),
        _ => None,
    }
}

fn unary(op: UnaryOp, a: f32) -> Option<f32> {
    let def = Op::Unary(op).def();
    match def.eval {
        Eval::Unary(run, _) if def.is_exact() => Some(one(|to| run(to, &[a]))),
        _ => None,
    }
}

fn one(run: impl FnOnce(&mut [f32])) -> f32 {
    let mut to = [0.0];
    run(&mut to);
    to[0]
}
