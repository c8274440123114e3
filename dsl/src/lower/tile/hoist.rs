//! Moves loop-invariant code before the tile loop.
//!
//! A pass of the tile dialect: it moves statements and keeps the meaning.

use crate::ir::tile::{Body, Stmt};
use crate::ir::{Chosen, Operand, StmtKind, TileExpr, TileLoop, TileStmt};
use crate::lower::nest;
use crate::lower::nest::stored;
use std::collections::BTreeSet;

/// Moves code that does not depend on the outermost loop before it: loads of whole rows, and values
/// that are computed from those alone.
pub fn run(body: &mut Body) {
    let mut out = Vec::with_capacity(body.stmts.len());
    for s in &body.stmts {
        let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind else {
            out.push(s.clone());
            continue;
        };
        // One block alone runs such a loop; hoisted code would run on all blocks.
        if nest::is_once(body, tile) {
            out.push(s.clone());
            continue;
        }
        let inside = fixed_first(body, tile, &mut out);
        let kind = StmtKind::Do(TileStmt::Loop {
            tile: TileLoop {
                body: inside,
                ..tile.clone()
            },
        });
        out.push(Stmt { kind, span: s.span });
    }
    body.stmts = out;
}

/// Puts the invariant definitions of a loop into `before`. Returns the rest of its body.
fn fixed_first(body: &Body, outer: &TileLoop, before: &mut Vec<Stmt>) -> Vec<Stmt> {
    let mut fixed = BTreeSet::new();
    let written = stored(&outer.body);
    let mut inside = Vec::with_capacity(outer.body.len());
    for s in &outer.body {
        if let StmtKind::Do(TileStmt::Def { value, expr }) = &s.kind {
            let decl = &body.values[value.index()];
            let free = match expr {
                TileExpr::Load { from } => {
                    let mut steady = expr.operands().all(|ids| fixed.contains(&ids));
                    from.scalars(&mut |s| steady &= s.has_no_variables());
                    steady && !written.contains(&from.of)
                }
                // The ends of the access are found in each iteration; one that no variable moves
                // would have none.
                TileExpr::LoadOr { .. } => false,
                TileExpr::Op { args, .. } => args.iter().all(|a| match a {
                    Operand::Value { value } => fixed.contains(value),
                    Operand::Scalar { value } => value.has_no_variables(),
                }),
                TileExpr::Reduce { .. }
                | TileExpr::Cast { .. }
                | TileExpr::Truncate { .. }
                | TileExpr::Round { .. }
                | TileExpr::Top { .. }
                | TileExpr::Scan { .. } => expr.operands().all(|value| fixed.contains(&value)),
                TileExpr::Pick { value, at, .. } => {
                    let known = match at {
                        Chosen::Tile { value } => fixed.contains(value),
                        Chosen::Index { index } => index.offset.has_no_variables(),
                    };
                    known && fixed.contains(value)
                }
                TileExpr::Iota { first } => first.has_no_variables(),
                TileExpr::Copy { .. }
                | TileExpr::Fill { .. }
                | TileExpr::Across { .. }
                | TileExpr::Appended { .. } => false,
            };
            let runs = outer.specs.iter().any(|spec| decl.axes.contains(spec.ax));
            if free && !decl.mutable && !runs {
                fixed.insert(*value);
                before.push(s.clone());
                continue;
            }
        }
        inside.push(s.clone());
    }
    inside
}
