//! J0214: scalars that a tile loop sets and that are read behind it.
//!
//! Each core sets them in its own iterations. Behind the loop they differ from core to core, and
//! depend on the tile size. Only cross-core accumulators are equal on all cores there. Inside of
//! the loop the check leaves such scalars to the author.

use crate::diag::{Code, Diagnostic};
use crate::ir::tile::{Body, Stmt};
use crate::ir::{walk_stmts, Scalar, ScalarTy, SpanId, StmtKind, TileLoop, TileStmt, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Checks the reads of such scalars outside of the loops that set them.
pub fn check_scalars(body: &Body, found: &mut Vec<Diagnostic>) {
    let mut walk = LoopScalars {
        body,
        found,
        set: BTreeMap::new(),
    };
    walk.list(&body.stmts);
}

struct LoopScalars<'a> {
    body: &'a Body,
    found: &'a mut Vec<Diagnostic>,
    /// Scalars that an earlier loop has set, with the place.
    set: BTreeMap<VarId, SpanId>,
}

impl LoopScalars<'_> {
    fn list(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Do(TileStmt::Loop { tile }) => self.tile_loop(tile, s),
            StmtKind::For { body, .. } => {
                self.reads(s);
                let before = self.set.clone();
                // An iteration sees the scalars that the one before has set, so the second walk
                // reports.
                let known = self.found.len();
                self.list(body);
                self.found.truncate(known);
                self.list(body);
                self.set.extend(before);
            }
            StmtKind::If { then, other, .. } => {
                self.reads(s);
                let before = self.set.clone();
                self.list(then);
                let after = std::mem::replace(&mut self.set, before);
                self.list(other);
                self.set.extend(after);
            }
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::Promise { .. }
            | StmtKind::Do(_) => {
                self.reads(s);
                s.sets()
                    .into_iter()
                    .for_each(|var| _ = self.set.remove(&var));
            }
        }
    }

    /// Notes the scalars from outside that a loop sets. Inside, a read behind such a set is fine.
    fn tile_loop(&mut self, tile: &TileLoop, s: &Stmt) {
        let (mut own, mut sets) = (BTreeSet::new(), BTreeMap::new());
        walk_stmts(&tile.body, &mut |s| match (s.sets(), &s.kind) {
            (Some(var), StmtKind::SetScalar { .. }) => _ = sets.entry(var).or_insert(s.span),
            // Any other statement that sets a scalar also defines it.
            (Some(var), _) => _ = own.insert(var),
            (None, _) => {}
        });
        sets.retain(|var, _| !own.contains(var));
        let before = self.set.clone();
        self.set.retain(|var, _| !sets.contains_key(var));
        walk_stmts(std::slice::from_ref(s), &mut |s| self.reads(s));
        self.set = before;
        self.set.extend(sets);
    }

    /// Reports J0214 for a scalar that differs from core to core.
    fn reads(&mut self, s: &Stmt) {
        let mut read = None;
        s.scalars(&mut |scalar| {
            scalar.walk(&mut |n| {
                if let Scalar::Var(var) = n {
                    read = read.or(self.set.get(var).map(|at| (*var, *at)));
                }
            });
        });
        let Some((var, at)) = read else { return };
        let name = &self.body.var(var).name;
        let text = format!("`{name}` is set in a tile loop, by each core in the iterations that it has: behind the loop it is not the same on all cores");
        let begin = match self.body.var(var).ty {
            ScalarTy::F32 => "across_cores::<f32>((), 0.0)",
            ScalarTy::I32 | ScalarTy::Index | ScalarTy::Bool => "across_cores::<i32>((), 0)",
        };
        self.found.push(Diagnostic::new(Code::J0214, s.span, text).label(at, "set here").help(format!(
            "merge a value over the cores, `let mut s = {begin};` before the loop and `s += v;` inside, and read it behind the loop: `s.scalar()`"
        )));
    }
}
