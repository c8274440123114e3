//! Lifetimes of tiles. The name of a tile that nothing reads any more becomes free.

use jumar::dsl::ir::tile::Stmt;
use jumar::dsl::ir::uses;
use jumar::dsl::ir::{StmtKind, TileStmt, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Statements numbered in the order of the text, and the last reader of each tile.
#[derive(Debug, Default)]
pub struct Lives {
    /// The number of each statement, by its address.
    numbers: BTreeMap<*const Stmt, usize>,
    first: BTreeMap<ValueId, usize>,
    last: BTreeMap<ValueId, usize>,
}

impl Lives {
    pub fn of(stmts: &[Stmt]) -> Lives {
        let mut lives = Lives::default();
        let ends = lives.number(stmts, &mut 0);
        lives.follow(stmts, &ends, &mut Vec::new());
        lives
    }

    /// Returns the number of a statement of this body.
    pub fn number_of(&self, stmt: &Stmt) -> Option<usize> {
        self.numbers.get(&std::ptr::from_ref(stmt)).copied()
    }

    /// Returns the last statement that reads a tile.
    pub fn last(&self, value: ValueId) -> Option<usize> {
        self.last.get(&value).copied()
    }

    /// Numbers statements, and returns the last nested statement of each.
    fn number(&mut self, stmts: &[Stmt], next: &mut usize) -> BTreeMap<usize, usize> {
        let mut ends = BTreeMap::new();
        for s in stmts {
            let own = *next;
            self.numbers.insert(std::ptr::from_ref(s), own);
            *next += 1;
            for inner in s.children().into_iter().flatten() {
                ends.extend(self.number(inner, next));
            }
            ends.insert(own, *next - 1);
        }
        ends
    }

    /// Records the last readers of tiles; `loops` has the first and last statement of each
    /// enclosing loop.
    fn follow(
        &mut self,
        stmts: &[Stmt],
        ends: &BTreeMap<usize, usize>,
        loops: &mut Vec<(usize, usize)>,
    ) {
        for s in stmts {
            let Some(own) = self.number_of(s) else {
                continue;
            };
            let mut used = BTreeSet::new();
            uses(s, &mut used);
            for value in used {
                // The next iteration reads it again, so a tile from before a loop lives until the
                // loop ends.
                let defined = self.first.get(&value).copied();
                let around = loops
                    .iter()
                    .find(|(from, _)| defined.is_some_and(|defined| defined < *from));
                let last = around.map_or(own, |(_, to)| *to);
                self.last
                    .entry(value)
                    .and_modify(|before| *before = last.max(*before))
                    .or_insert(last);
            }
            if let StmtKind::Do(TileStmt::Def { value, .. }) = &s.kind {
                self.first.insert(*value, own);
            }
            let turns = matches!(
                s.kind,
                StmtKind::For { .. } | StmtKind::Do(TileStmt::Loop { .. })
            );
            loops.extend(turns.then(|| (own, ends[&own])));
            s.children()
                .into_iter()
                .flatten()
                .for_each(|inner| self.follow(inner, ends, loops));
            if turns {
                loops.pop();
            }
        }
    }
}
