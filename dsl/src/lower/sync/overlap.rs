//! Decides if two copies may touch the same elements of GM.

use crate::ir::queue::Stmt;
use crate::ir::{walk_stmts, Base, BinOp, Extent, Scalar, StmtKind, VarId, View};
use std::collections::{BTreeMap, BTreeSet};

/// The elements of a tensor in GM that a copy touches.
#[derive(Clone, Debug)]
pub(super) struct Touched<'a> {
    at: &'a View,
    extent: &'a Extent,
    /// Variables of loops that have gone on to a later iteration since.
    turned: BTreeSet<VarId>,
}

impl<'a> Touched<'a> {
    pub(super) fn new(at: &'a View, extent: &'a Extent) -> Self {
        Touched {
            at,
            extent,
            turned: BTreeSet::new(),
        }
    }
    /// True for equal elements in one iteration.
    pub(super) fn is_at(&self, other: &Touched<'_>) -> bool {
        self.at == other.at && self.extent == other.extent
    }
    /// True for elements of the same tensor.
    pub(super) fn is_of(&self, at: &View) -> bool {
        self.at.base == at.base
    }
    pub(super) fn base(&self) -> &'a Base {
        &self.at.base
    }
    /// Notes that a loop goes on to another iteration.
    pub(super) fn enter(&mut self, var: VarId) {
        self.turned.insert(var);
    }
    /// Notes that a loop has ended.
    pub(super) fn leave(&mut self, var: VarId) {
        self.turned.remove(&var);
    }
    /// Merges two paths: a loop is in a later iteration only if it is on both.
    pub(super) fn join(&mut self, other: &Touched<'_>) {
        self.turned.retain(|var| other.turned.contains(var));
    }
}

/// The scalars that depend on the iterations of the loops of a body.
#[derive(Debug, Default)]
pub(super) struct Meeting {
    /// For each loop, the scalars that depend on its variable.
    moving: BTreeMap<VarId, BTreeSet<VarId>>,
}

impl Meeting {
    pub(super) fn of(stmts: &[Stmt]) -> Self {
        let mut meeting = Meeting::default();
        walk_stmts(stmts, &mut |s| {
            if let StmtKind::For { var, body, .. } = &s.kind {
                let mut moving = BTreeSet::from([*var]);
                follow(body, &mut moving);
                meeting.moving.insert(*var, moving);
            }
        });
        meeting
    }

    /// True if a copy of this iteration may touch elements that an earlier copy touched.
    pub(super) fn meet(&self, earlier: &Touched<'_>, at: &View) -> bool {
        let apart = earlier
            .turned
            .iter()
            .filter_map(|var| self.moving.get(var))
            .any(|moving| {
                let (mut a, mut b) = (Vec::new(), Vec::new());
                terms(&earlier.at.offset, moving, &mut a);
                terms(&at.offset, moving, &mut b);
                !a.is_empty() && a == b
            });
        earlier.at.base == at.base && !apart
    }
}

/// Collects the terms of a sum that read one of the variables.
fn terms<'s>(s: &'s Scalar, vars: &BTreeSet<VarId>, found: &mut Vec<&'s Scalar>) {
    match s {
        Scalar::Bin(BinOp::Add, a, b) => {
            terms(a, vars, found);
            terms(b, vars, found);
        }
        term => found.extend(mentions(term, vars).then_some(term)),
    }
}

/// Adds the scalars that are computed from the given ones.
fn follow(stmts: &[Stmt], vars: &mut BTreeSet<VarId>) {
    walk_stmts(stmts, &mut |s| {
        if let StmtKind::LetScalar { var, value } = &s.kind {
            if mentions(value, vars) {
                vars.insert(*var);
            }
        }
    });
}

fn mentions(s: &Scalar, vars: &BTreeSet<VarId>) -> bool {
    let mut found = false;
    s.walk(&mut |n| found |= matches!(n, Scalar::Var(v) if vars.contains(v)));
    found
}
