//! Gives each new value of a variable a new name, where it is set in the list that defines it.
//!
//! The following passes then see values that do not change. Examples are
//! `let mut v = a; v = v * 2.0;` and the rest of `let v = if c { a } else { b };` where the host
//! decides ([`crate::lower::specialize`]).

use super::stream::rename;
use crate::ir::names::{stem, unique};
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    walk_stmts, walk_stmts_mut, Scalar, SpanId, StmtKind, TileExpr, TileStmt, ValueDecl, ValueId,
    VarDecl, VarId,
};
use crate::lower::gap::{Gap, Made};
use std::collections::BTreeMap;

/// Renames variables that are set only in the list that defines them. Returns true if there were
/// any.
///
/// # Errors
/// A tile that is still set outside of tile loops does not lower.
pub fn run(body: &mut Body) -> Made<bool> {
    let before = body.vars.len() + body.values.len();
    let mut stmts = std::mem::take(&mut body.stmts);
    settle_list(body, &mut stmts);
    body.stmts = stmts;
    match changed_outside(&body.stmts) {
        None => Ok(body.vars.len() + body.values.len() > before),
        Some(span) => {
            let help = "choose in each tile loop that uses it; what axes and attributes decide may stand before all loops";
            Err(Gap::not_yet(
                "a tile that is chosen outside of tile loops by what only a core knows",
                help,
                span,
            ))
        }
    }
}

/// Finds a statement outside of tile loops that still sets a tile.
fn changed_outside(stmts: &[Stmt]) -> Option<SpanId> {
    stmts.iter().find_map(|s| match &s.kind {
        StmtKind::Do(TileStmt::Set { .. }) => Some(s.span),
        StmtKind::Do(_) => None,
        StmtKind::For { .. } | StmtKind::If { .. } => s
            .children()
            .into_iter()
            .flatten()
            .find_map(|list| changed_outside(list)),
        StmtKind::LetScalar { .. } | StmtKind::SetScalar { .. } | StmtKind::Promise { .. } => None,
    })
}

fn settle_list(body: &mut Body, stmts: &mut [Stmt]) {
    for at in 0..stmts.len() {
        // Cross-core accumulators are set in loops alone.
        if let Some((value, _)) = stmts[at]
            .def()
            .filter(|(_, expr)| !matches!(expr, TileExpr::Across { .. }))
        {
            let is_set = |s: &Stmt| matches!(&s.kind, StmtKind::Do(TileStmt::Set { value: set, .. }) if *set == value);
            if body.values[value.index()].mutable && is_set_beside(&stmts[at + 1..], &is_set) {
                settle_value(body, &mut stmts[at..], value);
            }
        }
        if let StmtKind::LetScalar { var, .. } = stmts[at].kind {
            if body.var(var).mutable && is_set_beside(&stmts[at + 1..], &|s| s.sets() == Some(var))
            {
                settle_scalar(body, &mut stmts[at..], var);
            }
        }
        for list in stmts[at].children_mut().into_iter().flatten() {
            settle_list(body, list);
        }
    }
}

/// True if nothing nested inside of these statements sets the variable.
fn is_set_beside(stmts: &[Stmt], is_set: &dyn Fn(&Stmt) -> bool) -> bool {
    let mut inside = false;
    for s in stmts {
        s.children()
            .into_iter()
            .flatten()
            .for_each(|list| walk_stmts(list, &mut |s| inside |= is_set(s)));
    }
    !inside
}

/// Renames a value that the first statement defines and later ones set.
fn settle_value(body: &mut Body, stmts: &mut [Stmt], value: ValueId) {
    let decl = body.values[value.index()].clone();
    body.values[value.index()].mutable = false;
    let mut now = value;
    for s in &mut stmts[1..] {
        rename(std::slice::from_mut(s), &BTreeMap::from([(value, now)]));
        if let StmtKind::Do(TileStmt::Set { value: set, from }) = s.kind {
            // `rename` above has already changed the target as well.
            if set == now {
                now = body.add_value(ValueDecl {
                    name: unique(stem(&decl.name), |name| {
                        body.values.iter().any(|v| v.name == name)
                    }),
                    mutable: false,
                    ..decl.clone()
                });
                s.kind = StmtKind::Do(TileStmt::Def {
                    value: now,
                    expr: TileExpr::Copy { value: from },
                });
            }
        }
    }
}

/// Renames a scalar that the first statement defines and later ones set.
fn settle_scalar(body: &mut Body, stmts: &mut [Stmt], var: VarId) {
    let decl = body.var(var).clone();
    body.vars[var.index()].mutable = false;
    let mut now = var;
    for s in &mut stmts[1..] {
        let new = now;
        let renamed = |scalar: &Scalar| {
            scalar.replace(&|node| (*node == Scalar::Var(var)).then_some(Scalar::Var(new)))
        };
        walk_stmts_mut(std::slice::from_mut(s), &mut |s| {
            s.scalars_mut(&mut |scalar| *scalar = renamed(scalar))
        });
        let value = match &s.kind {
            StmtKind::SetScalar { var: set, value } if *set == var => value.clone(),
            StmtKind::SetScalar { .. }
            | StmtKind::LetScalar { .. }
            | StmtKind::For { .. }
            | StmtKind::If { .. } => continue,
            StmtKind::Promise { .. } | StmtKind::Do(_) => continue,
        };
        let name = unique(stem(&decl.name), |name| {
            body.vars.iter().any(|v| v.name == name)
        });
        now = body.add_var(VarDecl {
            name,
            mutable: false,
            ..decl.clone()
        });
        s.kind = StmtKind::LetScalar { var: now, value };
    }
}
