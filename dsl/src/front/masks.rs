//! Masks joined by `&`, `|` and `^`.

use super::cx::Cx;
use super::scope::Val;
use crate::ir::{Operand, TileExpr, Ty, ValueId};
use crate::ops::MaskOp;
use syn::{Expr, ExprBinary};

/// How an operator joins two masks.
#[derive(Clone, Copy)]
pub(super) enum Join {
    And,
    Or,
    Xor,
}

/// That of an operator on bits.
pub(super) const fn join(op: &syn::BinOp) -> Option<Join> {
    match op {
        syn::BinOp::BitAnd(_) => Some(Join::And),
        syn::BinOp::BitOr(_) => Some(Join::Or),
        syn::BinOp::BitXor(_) => Some(Join::Xor),
        _ => None,
    }
}

impl Cx<'_> {
    /// `a & b`, `a | b`, `a ^ b` of masks.
    pub fn joined_masks(&mut self, by: Join, b: &ExprBinary, e: &Expr) -> Val {
        let (left, right) = (self.expr(&b.left), self.expr(&b.right));
        let masks = match (&left, &right) {
            (Val::Unknown, _) | (_, Val::Unknown) => return Val::Unknown,
            (Val::Tile(x), Val::Tile(y)) if [*x, *y].iter().all(|v| self.dtype(*v) == Ty::Mask) => [*x, *y],
            _ => {
                return self.unsupported(
                    e,
                    "an operator on bits of other than masks",
                    "`&`, `|`, `^` and `!` join the bits of compares; operators of numbers are + - * / %, comparisons, && || and !",
                );
            }
        };
        let span = self.at(e);
        let Some(axes) = self.broadcast("the join", (masks[0], &b.left), (masks[1], &b.right), span) else { return Val::Unknown };
        let mut join = |op: MaskOp, masks: &[ValueId]| {
            let args = masks.iter().map(|value| Operand::Value { value: *value }).collect();
            self.define(TileExpr::Op { op: op.into(), args }, Ty::Mask, axes.clone(), span)
        };
        Val::Tile(match by {
            Join::And => join(MaskOp::And, &masks),
            Join::Or => join(MaskOp::Or, &masks),
            // What is in one of them and not in both.
            Join::Xor => {
                let (one, both) = (join(MaskOp::Or, &masks), join(MaskOp::And, &masks));
                let not_both = join(MaskOp::Not, &[both]);
                join(MaskOp::And, &[one, not_both])
            }
        })
    }
}
