//! Reductions of rows that are made for one op with another value go onto that value: `s + v.sum(j)` is one row after the other, or the
//! halves of all rows, added to `s`, and what was reduced needs no place of its own.
//!
//! Along lanes that is no gain: what is left is one number a row.

use super::peephole::Known;
use crate::ir::tile::Body;
use crate::ir::{walk_stmts_mut, Operand, StmtKind, TileExpr, TileStmt, ValueId};
use crate::lower::nest::Nest;
use crate::ops::Op;

/// Makes one op of such a reduction and the op behind it; true where there was one.
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

/// The op and the reduction that it is made for, as one.
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
        // Where the reduction is made now its source is what it was.
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
