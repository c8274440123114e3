//! Life spans of tile values, and the order of statements that serves them.

use super::simplify::{map_children, uses};
use crate::ir::{Access, Body, LoopKind, Scalar, Stmt, StmtKind, TileExpr, TileLoop, ValueId};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn touches(s: &Stmt, v: ValueId) -> bool {
    let mut found = false;
    crate::ir::walk_stmts(std::slice::from_ref(s), &mut |s| {
        let mut used = BTreeSet::new();
        uses(s, &mut used);
        found |= used.contains(&v);
    });
    found
}

/// Life spans of the values that a list of statements defines, by statement index.
pub(super) struct Life {
    pub(super) defined: Vec<ValueId>,
    pub(super) defs: BTreeMap<ValueId, usize>,
    /// Last statement that reads the value.
    pub(super) last: BTreeMap<ValueId, usize>,
}

impl Life {
    pub(super) fn of(stmts: &[Stmt]) -> Life {
        let mut life = Life { defined: Vec::new(), defs: BTreeMap::new(), last: BTreeMap::new() };
        for (i, s) in stmts.iter().enumerate() {
            if let StmtKind::Def { value, .. } = &s.kind {
                life.defined.push(*value);
                life.defs.insert(*value, i);
                life.last.insert(*value, i);
            }
            crate::ir::walk_stmts(std::slice::from_ref(s), &mut |inner| {
                let mut used = BTreeSet::new();
                uses(inner, &mut used);
                for v in used {
                    if life.defs.contains_key(&v) {
                        life.last.insert(v, i);
                    }
                }
            });
        }
        life
    }

    pub(super) fn expr<'s>(&self, stmts: &'s [Stmt], v: ValueId) -> Option<&'s TileExpr> {
        match &stmts.get(*self.defs.get(&v)?)?.kind {
            StmtKind::Def { expr, .. } => Some(expr),
            _ => None,
        }
    }
}

/// Moves loads to the front of their scope, behind earlier stores to the same tensor.
pub(super) fn loads_first(stmts: &[Stmt]) -> Vec<Stmt> {
    let mut stored = BTreeSet::new();
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for s in stmts {
        let mut inside = BTreeSet::new();
        crate::ir::walk_stmts(std::slice::from_ref(s), &mut |s| {
            if let StmtKind::Store { param, .. } = &s.kind {
                inside.insert(*param);
            }
        });
        match &s.kind {
            StmtKind::Def { expr: TileExpr::Load { param, .. }, .. } if !stored.contains(param) => first.push(s.clone()),
            _ => rest.push(s.clone()),
        }
        stored.extend(inside);
    }
    first.extend(rest);
    first
}

/// Splits off what does not depend on the row loop: rows loaded once, and what is computed from them alone.
pub(super) fn hoist(body: &Body, outer: &TileLoop) -> (Vec<Stmt>, Vec<Stmt>) {
    let mut fixed = BTreeSet::new();
    let mut before = Vec::new();
    let mut written = BTreeSet::new();
    crate::ir::walk_stmts(&outer.body, &mut |s| {
        if let StmtKind::Store { param, .. } = &s.kind {
            written.insert(*param);
        }
    });
    let inside = outer.body.iter().filter(|s| {
        let StmtKind::Def { value, expr } = &s.kind else { return true };
        let decl = &body.values[value.index()];
        let free = match expr {
            TileExpr::Load { access, param, .. } => *access == Access::Row && !written.contains(param),
            TileExpr::Op { args, .. } => args.iter().all(|a| match a {
                crate::ir::Operand::Value { value } => fixed.contains(value),
                crate::ir::Operand::Scalar { value } => no_variables(value),
            }),
            TileExpr::Cast { value, .. } => fixed.contains(value),
            TileExpr::Copy { .. } | TileExpr::Fill { .. } => false,
        };
        if outer.kind == LoopKind::Rows && free && !decl.mutable && decl.shape.rows.is_none() {
            fixed.insert(*value);
            before.push((*s).clone());
            return false;
        }
        true
    });
    let inside = inside.map(|s| map_children(s, &mut <[Stmt]>::to_vec)).collect();
    (before, inside)
}

pub(super) fn no_variables(s: &Scalar) -> bool {
    let mut none = true;
    s.walk(&mut |n| none &= !matches!(n, Scalar::Var(_) | Scalar::BlockIdx));
    none
}
