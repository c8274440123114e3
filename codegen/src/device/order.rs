//! Where copies must wait for earlier stores to the same elements of GM.
//!
//! The IR means its statements one after the other. Queues order what the pipes do to a tensor in UB, but not what they
//! do to GM: two stores may still be under way on MTE3 together, and a load on MTE2 may overtake a store. So a store waits
//! for stores, and a load for stores, that may meet its elements. Turns of a loop are taken to be apart where what moves with
//! the turns is the same in both places: a turn has a share of its own, as a block has.

use jumar_dsl::ir::{walk_stmts, BinOp, CopyShape, GmRef, Scalar, Stmt, StmtKind, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// What a copy waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// A store for the stores before it.
    Stores,
    /// A load for the stores before it.
    LoadForStores,
}

/// The copies that wait.
#[derive(Debug, Default)]
pub(super) struct Waits<'a> {
    found: Vec<(&'a Stmt, Wait)>,
    /// For each loop, the scalars that follow from its variable.
    moving: BTreeMap<VarId, BTreeSet<VarId>>,
}

impl<'a> Waits<'a> {
    /// Those of a body.
    pub(super) fn of(stmts: &'a [Stmt]) -> Self {
        let mut waits = Waits::default();
        waits.list(stmts, &mut Vec::new());
        waits
    }

    /// What this very statement waits for.
    pub(super) fn at(&self, stmt: &Stmt) -> Option<Wait> {
        self.found.iter().find(|(s, _)| std::ptr::eq(*s, stmt)).map(|(_, wait)| *wait)
    }

    fn list(&mut self, stmts: &'a [Stmt], stores: &mut Vec<Written<'a>>) {
        for s in stmts {
            match &s.kind {
                StmtKind::CopyIn { src, .. } => {
                    if stores.iter().any(|w| w.before_loads && self.meet(w, src)) {
                        self.wait(s, Wait::LoadForStores);
                        stores.iter_mut().for_each(|w| w.before_loads = false);
                    }
                }
                StmtKind::CopyOut { dst, shape, .. } => {
                    if stores.iter().any(|w| w.before_stores && self.meet(w, dst)) {
                        self.wait(s, Wait::Stores);
                        stores.iter_mut().for_each(|w| w.before_stores = false);
                    }
                    stores.retain(|w| !w.is_at(dst, shape));
                    stores.push(Written { at: dst, shape, before_loads: true, before_stores: true, turned: BTreeSet::new() });
                }
                StmtKind::For { var, body, .. } => self.turns(*var, body, stores),
                StmtKind::If { then, other, .. } => {
                    let mut otherwise = stores.clone();
                    self.list(then, stores);
                    self.list(other, &mut otherwise);
                    merge(stores, otherwise);
                }
                // These do not touch GM.
                StmtKind::LetScalar { .. }
                | StmtKind::SetScalar { .. }
                | StmtKind::Alloc { .. }
                | StmtKind::Enque { .. }
                | StmtKind::Deque { .. }
                | StmtKind::Free { .. }
                | StmtKind::Get { .. }
                | StmtKind::View { .. }
                | StmtKind::Vector { .. }
                | StmtKind::MaskCount { .. }
                | StmtKind::MaskNorm {}
                | StmtKind::GetValue { .. }
                | StmtKind::SetValue { .. }
                // Statements of the tile dialect and of the queue level before lowering: a lowered body has none.
                | StmtKind::Loop { .. }
                | StmtKind::Def { .. }
                | StmtKind::Set { .. }
                | StmtKind::Store { .. }
                | StmtKind::Split { .. }
                | StmtKind::FitTile { .. } => {}
            }
        }
    }

    /// A loop: its body, then its body after itself; it may also make no turn.
    fn turns(&mut self, var: VarId, body: &'a [Stmt], stores: &mut Vec<Written<'a>>) {
        let skipped = stores.clone();
        self.list(body, stores);
        let mut moving = BTreeSet::from([var]);
        follow(body, &mut moving);
        self.moving.insert(var, moving);
        stores.iter_mut().for_each(|w| {
            w.turned.insert(var);
        });
        self.list(body, stores);
        stores.iter_mut().for_each(|w| {
            w.turned.remove(&var);
        });
        merge(stores, skipped);
    }

    /// True where a copy may touch elements that a store writes.
    fn meet(&self, store: &Written<'_>, at: &GmRef) -> bool {
        let apart = store.turned.iter().filter_map(|var| self.moving.get(var)).any(|moving| {
            let (mut a, mut b) = (Vec::new(), Vec::new());
            terms(&store.at.offset, moving, &mut a);
            terms(&at.offset, moving, &mut b);
            !a.is_empty() && a == b
        });
        store.at.param == at.param && !apart
    }

    fn wait(&mut self, stmt: &'a Stmt, wait: Wait) {
        if self.at(stmt).is_none() {
            self.found.push((stmt, wait));
        }
    }
}

/// A store that copies after it may have to wait for.
#[derive(Clone, Debug)]
struct Written<'a> {
    at: &'a GmRef,
    shape: &'a CopyShape,
    /// True until a load has waited for it.
    before_loads: bool,
    /// True until a store has waited for it.
    before_stores: bool,
    /// Variables of the loops that are in a later turn now.
    turned: BTreeSet<VarId>,
}

impl Written<'_> {
    fn is_at(&self, at: &GmRef, shape: &CopyShape) -> bool {
        let extent = |s: &CopyShape| (s.rows.clone(), s.cols.clone(), s.gm_stride.clone());
        self.at == at && extent(self.shape) == extent(shape)
    }
}

/// The stores of two ways to one place: what either has not waited for is still to be waited for.
fn merge<'a>(stores: &mut Vec<Written<'a>>, others: Vec<Written<'a>>) {
    for other in others {
        match stores.iter_mut().find(|w| w.is_at(other.at, other.shape)) {
            Some(w) => {
                w.before_loads |= other.before_loads;
                w.before_stores |= other.before_stores;
                w.turned.retain(|var| other.turned.contains(var));
            }
            None => stores.push(other),
        }
    }
}

/// The terms of a sum that read one of the variables.
fn terms<'s>(s: &'s Scalar, vars: &BTreeSet<VarId>, found: &mut Vec<&'s Scalar>) {
    match s {
        Scalar::Bin(BinOp::Add, a, b) => {
            terms(a, vars, found);
            terms(b, vars, found);
        }
        term => found.extend(mentions(term, vars).then_some(term)),
    }
}

/// Adds the scalars that are computed from those given.
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
