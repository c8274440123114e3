//! Stores that add, turn by turn: J0214 for sums that depend on the tile size.
//!
//! What a turn adds belongs to the indices of its tile: an index of the store is the tile, or the value was summed along it. What
//! neither is adds once a turn, and how many turns there are the tile size says. What is both, summed along a tile and added at each
//! index of it, adds the sum of a tile to each; and sums of what was reduced in another way, or computed of a sum, are sums of one number a tile.

use super::cx::Cx;
use super::merges::{Part, Parts};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Access, AxId, AxSpec, Body, Stmt, StmtKind, StoreHow, TileExpr, ValueId};
use crate::ops::AxisReduceOp;
use std::collections::{BTreeMap, BTreeSet};

impl Cx<'_> {
    /// Judges what stores add.
    pub fn judge_added(&mut self) {
        let mut reduced = Reduced::default();
        // What is assigned in a loop may be read before it.
        while reduced.list(&self.out, &BTreeSet::new()) {}
        let mut found = Vec::new();
        let mut judge =
            Judge { reduced: &reduced, parts: Parts::of(&self.out), around: Vec::new(), divided: 0, found: &mut found };
        judge.list(&self.out);
        let found: Vec<Diagnostic> = found.into_iter().map(|wrong| self.wrong_sum(&wrong)).collect();
        found.into_iter().for_each(|d| self.report(d));
    }

    fn wrong_sum(&self, &Wrong { at, to, ax, ref why }: &Wrong<'_>) -> Diagnostic {
        let name = to.map_or("", |to| self.body.gm_name(&self.sig, to.of));
        let run = run_name(&self.body, ax);
        let (text, help) = match why {
            Why::Index => (
                format!("what is added to `{name}` at `{run}` was reduced along `{run}`: the sum depends on the tile size"),
                format!("add what is reduced along `{run}` where no index is `{run}`, or reduce along a whole axis"),
            ),
            Why::NoSum => (
                format!("what is added to `{name}` is one number for each tile `{run}`, reduced along it and not summed: the sum depends on the tile size"),
                format!("add what is summed along it, `v.sum({run})`, or merge it into a value over all cores, `s = s.max(v.amax({run}))`"),
            ),
            Why::NotLinear => (
                format!("what is added to `{name}` is computed of the sum of each tile `{run}`: the result depends on the tile size"),
                format!("add `v.sum({run})`, times what is the same in all turns, or merge it into a value over all cores and compute the rest behind the loop"),
            ),
            Why::Read => (
                format!("`scalar` of what was reduced along `{run}`, in the loop of that tile: the number depends on the tile size"),
                format!("merge it into a `let mut` from before that loop, and read it behind: `s = s + v.sum({run})`"),
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
    /// Follows statements, in loops along the tiles `around`; true where that has shown more.
    fn list(&mut self, stmts: &[Stmt], around: &BTreeSet<AxId>) -> bool {
        let mut more = false;
        stmts.iter().for_each(|s| more |= self.statement(s, around));
        more
    }

    fn statement(&mut self, s: &Stmt, around: &BTreeSet<AxId>) -> bool {
        let (value, mut axes) = match &s.kind {
            StmtKind::Def { value, expr } => {
                let mut own = BTreeSet::new();
                if let TileExpr::Reduce { over, op, .. } = expr {
                    own.extend(over.iter().map(|ax| (ax, *op == AxisReduceOp::Sum)));
                }
                (*value, expr.operands().fold(own, |all, v| &all | &self.seen(v, around)))
            }
            StmtKind::Set { value, from } => (*value, self.seen(*from, around)),
            StmtKind::Loop { tile } => {
                let inside = tile.specs.iter().map(|spec| spec.ax).chain(around.iter().copied()).collect();
                return self.list(&tile.body, &inside);
            }
            // Nothing else makes a value.
            _ => {
                let mut more = false;
                s.children().into_iter().flatten().for_each(|inner| more |= self.list(inner, around));
                return more;
            }
        };
        let known = self.0.entry(value).or_default();
        let more = !axes.is_subset(known);
        known.append(&mut axes);
        more
    }

    fn of(&self, v: ValueId) -> BTreeSet<(AxId, bool)> {
        self.0.get(&v).cloned().unwrap_or_default()
    }

    /// The same where it is read: behind the loop along whose tiles parts of it were merged, it is whole.
    fn seen(&self, v: ValueId, around: &BTreeSet<AxId>) -> BTreeSet<(AxId, bool)> {
        self.of(v).into_iter().filter(|(ax, _)| around.contains(ax)).collect()
    }
}

/// A sum that depends on the tile size.
struct Wrong<'a> {
    at: &'a Stmt,
    /// Where it is added.
    to: Option<&'a Access>,
    /// The tile.
    ax: AxId,
    why: Why,
}

enum Why {
    /// It hangs from no index of the tile.
    Turns,
    /// It is reduced along the tile in another way than by a sum.
    NoSum,
    /// It is computed of a sum along the tile, otherwise than by factors.
    NotLinear,
    /// It is reduced along the tile, which is an index of the store.
    Index,
    /// It is read as a scalar in the loop along whose tile it is reduced.
    Read,
}

struct Judge<'j, 'a> {
    reduced: &'j Reduced,
    parts: Parts<'a>,
    /// What the loops around go through, and how many of that the outermost one does.
    around: Vec<&'a AxSpec>,
    divided: usize,
    found: &'j mut Vec<Wrong<'a>>,
}

impl<'a> Judge<'_, 'a> {
    fn list(&mut self, stmts: &'a [Stmt]) {
        for s in stmts {
            let before = self.around.len();
            match &s.kind {
                StmtKind::Loop { tile } => {
                    self.around.extend(&tile.specs);
                    self.divided = if before == 0 { tile.specs.len() } else { self.divided };
                }
                StmtKind::Store { to, value, how: StoreHow::Add } => self.store(s, to, *value),
                StmtKind::Read { value, .. } => self.read(s, *value),
                _ => {}
            }
            s.children().into_iter().flatten().for_each(|inner| self.list(inner));
            self.around.truncate(before);
        }
    }

    /// Along the tile of the loop that is divided nothing is read that was reduced there: that is judged where it was reduced.
    fn read(&mut self, at: &'a Stmt, value: ValueId) {
        let reduced = self.reduced.of(value);
        let inner = self.around.iter().skip(self.divided).map(|spec| spec.ax);
        let along = { inner }.find(|ax| reduced.iter().any(|(over, _)| over == ax));
        self.found.extend(along.map(|ax| Wrong { at, to: None, ax, why: Why::Read }));
    }

    fn store(&mut self, at: &'a Stmt, to: &'a Access, value: ValueId) {
        let (axes, reduced) = (to.axes(), self.reduced.of(value));
        // Single indices are as many turns whatever the tile size.
        let runs = self.around.iter().filter(|spec| !spec.size.is_each()).map(|spec| spec.ax);
        let parts = &mut self.parts;
        let mut why = |ax: AxId| match (axes.contains(ax), reduced.contains(&(ax, true)), reduced.contains(&(ax, false))) {
            (false, true, false) if parts.part(value, ax) == Part::Other => Some(Why::NotLinear),
            (true, false, false) | (false, true, false) => None,
            (true, ..) => Some(Why::Index),
            (false, false, false) => Some(Why::Turns),
            (false, _, true) => Some(Why::NoSum),
        };
        let wrong = { runs }.find_map(|ax| Some(Wrong { at, to: Some(to), ax, why: why(ax)? }));
        self.found.extend(wrong);
    }
}
