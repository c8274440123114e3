//! Stores that add, turn by turn: J0214 for sums that depend on the tile size.
//!
//! What a turn adds belongs to the indices of its tile: an index of the store is the tile, or the value was summed along it. What
//! neither is adds once a turn, and how many turns there are the tile size says. What is both, summed along a tile and added at each
//! index of it, adds the sum of a tile to each; and sums of what was reduced in another way are sums of one number a tile.

use super::cx::Cx;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Access, AxId, AxSpec, Body, Stmt, StmtKind, StoreHow, TileExpr, ValueId};
use crate::ops::AxisReduceOp;
use std::collections::{BTreeMap, BTreeSet};

impl Cx<'_> {
    /// Judges what stores add.
    pub fn judge_added(&mut self) {
        let mut reduced = Reduced::default();
        // What is assigned in a loop may be read before it.
        while reduced.list(&self.out) {}
        let mut found = Vec::new();
        let mut judge = Judge { reduced: &reduced, around: Vec::new(), found: &mut found };
        judge.list(&self.out);
        let found: Vec<Diagnostic> = found.into_iter().map(|wrong| self.wrong_sum(&wrong)).collect();
        found.into_iter().for_each(|d| self.report(d));
    }

    fn wrong_sum(&self, &Wrong { at, to, ax, ref why }: &Wrong<'_>) -> Diagnostic {
        let (name, run) = (self.body.gm_name(&self.sig, to.of), run_name(&self.body, ax));
        let (text, help) = match why {
            Why::Index => (
                format!("what is added to `{name}` at `{run}` was reduced along `{run}`: the sum depends on the tile size"),
                format!("add what is reduced along `{run}` where no index is `{run}`, or reduce along a whole axis"),
            ),
            Why::NoSum => (
                format!("what is added to `{name}` is one number for each tile `{run}`, reduced along it and not summed: the sum depends on the tile size"),
                format!("add what is summed along it, `v.sum({run})`, or merge it into a value over all cores, `s = s.max(v.amax({run}))`"),
            ),
            Why::Turns => (
                format!("each turn of the loop `{run}` adds to `{name}` what does not hang from its tile: the sum counts turns"),
                format!("add what is reduced along it, `v.sum({run})`, or at an index that is `{run}`; what counts once is added behind the loop"),
            ),
        };
        Diagnostic::new(Code::J0214, at.span, text).help(help)
    }
}

fn run_name(body: &Body, ax: AxId) -> &str {
    &body.axes[ax.index()].name
}

/// The axes along which each value, or one that it is computed from, was reduced; true for sums.
#[derive(Default)]
struct Reduced(BTreeMap<ValueId, BTreeSet<(AxId, bool)>>);

impl Reduced {
    /// Follows statements; true where that has shown more.
    fn list(&mut self, stmts: &[Stmt]) -> bool {
        let mut more = false;
        crate::ir::walk_stmts(stmts, &mut |s| {
            let (value, mut axes) = match &s.kind {
                StmtKind::Def { value, expr } => {
                    let mut own = BTreeSet::new();
                    if let TileExpr::Reduce { over, op, .. } = expr {
                        own.extend(over.iter().map(|ax| (ax, *op == AxisReduceOp::Sum)));
                    }
                    (*value, expr.operands().fold(own, |all, v| &all | &self.of(v)))
                }
                StmtKind::Set { value, from } => (*value, self.of(*from)),
                // Nothing else makes a value.
                _ => return,
            };
            let known = self.0.entry(value).or_default();
            more |= !axes.is_subset(known);
            known.append(&mut axes);
        });
        more
    }

    fn of(&self, v: ValueId) -> BTreeSet<(AxId, bool)> {
        self.0.get(&v).cloned().unwrap_or_default()
    }
}

/// A sum that depends on the tile size.
struct Wrong<'a> {
    at: &'a Stmt,
    to: &'a Access,
    /// The tile.
    ax: AxId,
    why: Why,
}

enum Why {
    /// It hangs from no index of the tile.
    Turns,
    /// It is reduced along the tile in another way than by a sum.
    NoSum,
    /// It is reduced along the tile, which is an index of the store.
    Index,
}

struct Judge<'j, 'a> {
    reduced: &'j Reduced,
    /// What the loops around go through.
    around: Vec<&'a AxSpec>,
    found: &'j mut Vec<Wrong<'a>>,
}

impl<'a> Judge<'_, 'a> {
    fn list(&mut self, stmts: &'a [Stmt]) {
        for s in stmts {
            let before = self.around.len();
            match &s.kind {
                StmtKind::Loop { tile } => self.around.extend(&tile.specs),
                StmtKind::Store { to, value, how: StoreHow::Add } => self.store(s, to, *value),
                _ => {}
            }
            s.children().into_iter().flatten().for_each(|inner| self.list(inner));
            self.around.truncate(before);
        }
    }

    fn store(&mut self, at: &'a Stmt, to: &'a Access, value: ValueId) {
        let (axes, reduced) = (to.axes(), self.reduced.of(value));
        // Single indices are as many turns whatever the tile size.
        let runs = self.around.iter().filter(|spec| !spec.size.is_each()).map(|spec| spec.ax);
        let why = |ax: AxId| match (axes.contains(ax), reduced.contains(&(ax, true)), reduced.contains(&(ax, false))) {
            (true, false, false) | (false, true, false) => None,
            (true, ..) => Some(Why::Index),
            (false, false, false) => Some(Why::Turns),
            (false, _, true) => Some(Why::NoSum),
        };
        let wrong = { runs }.find_map(|ax| Some(Wrong { at, to, ax, why: why(ax)? }));
        self.found.extend(wrong);
    }
}
