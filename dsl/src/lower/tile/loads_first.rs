//! Moves loads to the front of their list of statements, so that copies run ahead of computation.
//!
//! A pass of the tile dialect: it moves statements and keeps the meaning.

use crate::ir::tile::Stmt;
use crate::ir::{walk_stmts, Scalar, TileExpr, VarId};
use crate::lower::nest::stored;
use std::collections::BTreeSet;

/// Moves loads to the front of their list, behind earlier stores to the same tensor.
pub fn run(stmts: &mut Vec<Stmt>) {
    let (mut before, mut set) = (BTreeSet::new(), BTreeSet::new());
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    // Values that are not moved; a load at such data indices cannot move before them.
    let mut stays = BTreeSet::new();
    for mut s in stmts.drain(..) {
        s.children_mut().into_iter().flatten().for_each(run);
        before.extend(stored(std::slice::from_ref(&s)));
        walk_stmts(std::slice::from_ref(&s), &mut |s| set.extend(s.sets()));
        let moves = s.def().is_some_and(|(_, expr)| match expr {
            TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => {
                !before.contains(&from.of)
                    && !reads(&s, &set)
                    && !from.ids().any(|ids| stays.contains(&ids.value))
            }
            _ => false,
        });
        stays.extend(s.def().filter(|_| !moves).map(|(value, _)| value));
        let list = if moves { &mut first } else { &mut rest };
        list.push(s);
    }
    stmts.extend(first.into_iter().chain(rest));
}

/// True if a statement reads one of the variables.
fn reads(s: &Stmt, vars: &BTreeSet<VarId>) -> bool {
    let mut found = false;
    s.scalars(&mut |scalar| {
        scalar.walk(&mut |n| found |= matches!(n, Scalar::Var(v) if vars.contains(v)))
    });
    found
}
