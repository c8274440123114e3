//! Reduces rows onto the other operand of the op that uses the result.
//!
//! In `s + v.sum(j)`, the rows, or the sums of halves of them, are added to `s` itself. The
//! reduction then needs no memory for its result. Along lanes nothing is gained: one number a row
//! is left.

use super::peephole::Known;
use crate::ir::tile::Body;
use crate::ir::{walk_stmts_mut, Operand, StmtKind, TileExpr, TileStmt, ValueId};
use crate::lower::nest::Nest;
use crate::ops::Op;

/// Fuses such a reduction with the op that uses it. Returns true if there was one.
pub fn run(body: &mut Body, nest: &Nest) -> bool {
    let known = Known::of(body);
    let mut any = false;
    let mut stmts = std::mem::take(&mut body.stmts);
    walk_stmts_mut(&mut stmts, &mut |s| {
        if let StmtKind::Do(TileStmt::Def { expr, .. }) = &mut s.kind {
            if let Some(joined) = joined(body, nest, &known, expr) {
                (*expr, any) = (joined, true);
            }
        }
    });
    body.stmts = stmts;
    if any {
        super::normalize::drop_idle(body);
    }
    any
}

/// Returns the op and the reduction that it uses as one expression.
fn joined(body: &Body, nest: &Nest, known: &Known, expr: &TileExpr) -> Option<TileExpr> {
    let TileExpr::Op {
        op: Op::Binary(step),
        args,
    } = expr
    else {
        return None;
    };
    let [Operand::Value { value: a }, Operand::Value { value: b }] = args[..] else {
        return None;
    };
    let axes = |v: ValueId| &body.values[v.index()].axes;
    let one = |part: ValueId, other: ValueId| {
        let TileExpr::Reduce {
            op,
            value,
            over,
            onto: None,
        } = known.once(part)?
        else {
            return None;
        };
        let of_rows = !nest.is_column(axes(part)) && !over.iter().any(|ax| nest.is_lane(ax));
        // The source is not mutable, so it has the same value at the place of the op.
        let same =
            !body.values[value.index()].mutable && axes(part) == axes(other) && part != other;
        let is_step = op.step() == Some(*step);
        let onto = Some(other);
        (of_rows && same && is_step).then(|| TileExpr::Reduce {
            op: *op,
            value: *value,
            over: over.clone(),
            onto,
        })
    };
    one(b, a).or_else(|| one(a, b))
}
