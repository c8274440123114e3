//! Life spans of tile values.

use crate::ir::tile::Stmt;
use crate::ir::uses;
use crate::ir::{StmtKind, TileExpr, TileStmt, ValueId};
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
    /// For each value, the last statement that reads it.
    pub(super) last: BTreeMap<ValueId, usize>,
}

impl Life {
    pub(super) fn of(stmts: &[Stmt]) -> Life {
        let mut life = Life {
            defined: Vec::new(),
            defs: BTreeMap::new(),
            last: BTreeMap::new(),
        };
        for (i, s) in stmts.iter().enumerate() {
            if let StmtKind::Do(TileStmt::Def { value, .. }) = &s.kind {
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

    /// Extends the life of a value to that of another one, which reads its memory.
    pub(super) fn outlives(&mut self, value: ValueId, other: ValueId) {
        let until = self.last.get(&other).copied();
        if let (Some(last), Some(until)) = (self.last.get_mut(&value), until) {
            *last = until.max(*last);
        }
    }

    pub(super) fn expr<'s>(&self, stmts: &'s [Stmt], v: ValueId) -> Option<&'s TileExpr> {
        let StmtKind::Do(TileStmt::Def { expr, .. }) = &stmts.get(*self.defs.get(&v)?)?.kind else {
            return None;
        };
        Some(expr)
    }
}
