//! The order of statements that serves copies: what does not depend on the tile loop stands before it, loads stand first.
//!
//! Both are passes inside the tile dialect: they move statements and change no meaning.

use crate::ir::{walk_stmts, Body, Chosen, Operand, Scalar, Stmt, StmtKind, TensorRef, TileExpr, TileLoop, VarId};
use crate::lower::nest;
use std::collections::BTreeSet;

/// Tensors that statements store to.
pub fn stored(stmts: &[Stmt]) -> BTreeSet<TensorRef> {
    let mut stored = BTreeSet::new();
    walk_stmts(stmts, &mut |s| {
        if let StmtKind::Store { to, .. } | StmtKind::Append { to, .. } = &s.kind {
            stored.insert(to.of);
        }
    });
    stored
}

/// Moves loads to the front of their scope, behind earlier stores to the same tensor.
pub fn loads_first(stmts: &mut Vec<Stmt>) {
    let (mut before, mut set) = (BTreeSet::new(), BTreeSet::new());
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    // What stays behind chooses no earlier load.
    let mut stays = BTreeSet::new();
    for mut s in stmts.drain(..) {
        s.children_mut().into_iter().flatten().for_each(loads_first);
        before.extend(stored(std::slice::from_ref(&s)));
        walk_stmts(std::slice::from_ref(&s), &mut |s| set.extend(s.sets()));
        let moves = match &s.kind {
            StmtKind::Def { expr: TileExpr::Load { from } | TileExpr::LoadOr { from, .. }, .. } => {
                !before.contains(&from.of) && !reads(&s, &set) && !from.ids().any(|ids| stays.contains(&ids.value))
            }
            _ => false,
        };
        if let (StmtKind::Def { value, .. }, false) = (&s.kind, moves) {
            stays.insert(*value);
        }
        let list = if moves { &mut first } else { &mut rest };
        list.push(s);
    }
    stmts.extend(first.into_iter().chain(rest));
}

/// True where a statement reads one of the variables.
fn reads(s: &Stmt, vars: &BTreeSet<VarId>) -> bool {
    let mut found = false;
    s.scalars(&mut |scalar| scalar.walk(&mut |n| found |= matches!(n, Scalar::Var(v) if vars.contains(v))));
    found
}

/// Moves what does not depend on the outermost loop before it: rows loaded once, and what is computed from them alone.
pub fn hoist(body: &Body) -> Vec<Stmt> {
    let mut out = Vec::with_capacity(body.stmts.len());
    for s in &body.stmts {
        let StmtKind::Loop { tile } = &s.kind else {
            out.push(s.clone());
            continue;
        };
        // What one block does the others need not begin.
        if nest::is_once(body, tile) {
            out.push(s.clone());
            continue;
        }
        let inside = fixed_first(body, tile, &mut out);
        let kind = StmtKind::Loop { tile: TileLoop { body: inside, ..tile.clone() } };
        out.push(Stmt { kind, span: s.span });
    }
    out
}

/// Puts the fixed definitions of a loop into `before`; gives what is left of its body.
fn fixed_first(body: &Body, outer: &TileLoop, before: &mut Vec<Stmt>) -> Vec<Stmt> {
    let mut fixed = BTreeSet::new();
    let written = stored(&outer.body);
    let mut inside = Vec::with_capacity(outer.body.len());
    for s in &outer.body {
        if let StmtKind::Def { value, expr } = &s.kind {
            let decl = &body.values[value.index()];
            let free = match expr {
                TileExpr::Load { from } => {
                    let mut steady = expr.operands().all(|ids| fixed.contains(&ids));
                    from.scalars(&mut |s| steady &= s.has_no_variables());
                    steady && !written.contains(&from.of)
                }
                // Its ends are found in each turn: of an access that no variable moves nothing would be outside.
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
                TileExpr::Copy { .. } | TileExpr::Fill { .. } | TileExpr::Across { .. } | TileExpr::Appended { .. } => false,
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
