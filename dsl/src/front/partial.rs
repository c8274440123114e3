//! Partial values: what is reduced along the tile of a loop, and all that is computed of it inside that loop, depends on the tile size (J0214).
//!
//! One rule for all loops: a partial value may end in a merge, and in nothing else. A merge of the loop that is divided goes into a value over the
//! cores (`across`), one of a loop inside into a `let mut` from outside of it, whose old value it reads: `s = s + v.sum(t)`, or as in an online
//! softmax `s = s * (m - new).exp() + p.sum(t)`. What is added to a tensor is one, too (`added`). A `let mut` that a loop merges into is partial
//! itself as long as that loop runs, and whole behind it.

use super::cx::Cx;
use super::span::Ends;
use crate::ir::{AxId, Axes, LoopId, SpanId, Stmt, StmtKind, StoreHow, ValueId};
use crate::ops::AxisReduceOp;
use std::collections::{BTreeMap, BTreeSet};

/// What is reduced along the tile of a loop.
pub(super) struct Partial {
    pub value: ValueId,
    /// The loop.
    pub by: LoopId,
    /// What is said where it ends in no merge.
    pub along: Along,
}

/// A reduction along the tile of a loop, for messages: nothing of it has a place in the kernel before it is wrong.
pub(super) struct Along {
    pub op: AxisReduceOp,
    /// The tile.
    pub ax: AxId,
    /// True where the loop is divided among the cores.
    pub is_divided: bool,
    /// The axes of what is reduced.
    pub axes: Axes,
    pub name: String,
    /// The method with its arguments, and what stands before it.
    pub method: Ends,
    pub receiver: Ends,
}

impl Cx<'_> {
    /// Judges where partial values end; `merged` are the values over the cores.
    pub fn judge_ends(&mut self, merged: &BTreeSet<ValueId>) {
        let partials = std::mem::take(&mut self.partials);
        if partials.is_empty() {
            return;
        }
        let mut flow = Flow::of(&partials, merged);
        flow.declare(&self.out, &mut Vec::new());
        // What is assigned in a loop may be read before it.
        while flow.list(&self.out, &mut Vec::new()) {}
        let Flow { bad, good, .. } = flow;
        let mut told = BTreeSet::new();
        for (at, Partial { value, along, .. }) in partials.into_iter().enumerate() {
            // What a loop inside reduces and nobody uses changes no result.
            let is_wrong = bad.contains_key(&at) || along.is_divided && !good.contains(&at);
            if !is_wrong || !told.insert(value) {
                continue;
            }
            let wrong = self.depends_on_tile(&along);
            let end = bad.get(&at).filter(|_| !along.is_divided);
            self.report(match end {
                Some((span, what)) => wrong.label(*span, *what),
                None => wrong,
            });
        }
    }
}

/// Where partial values go.
struct Flow<'a> {
    partials: &'a [Partial],
    merged: &'a BTreeSet<ValueId>,
    /// The loops around the declaration of each value.
    around: BTreeMap<ValueId, Vec<LoopId>>,
    /// The reductions, by number, that each value hangs from.
    roots: BTreeMap<ValueId, BTreeSet<usize>>,
    /// The values that are assigned to.
    changing: BTreeSet<ValueId>,
    /// Those of which each value is computed.
    reads: BTreeMap<ValueId, BTreeSet<ValueId>>,
    /// Those that end where they may not, with where, and those that end in a merge.
    bad: BTreeMap<usize, (SpanId, &'static str)>,
    good: BTreeSet<usize>,
}

impl<'a> Flow<'a> {
    fn of(partials: &'a [Partial], merged: &'a BTreeSet<ValueId>) -> Flow<'a> {
        let mut roots: BTreeMap<ValueId, BTreeSet<usize>> = BTreeMap::new();
        for (at, partial) in partials.iter().enumerate() {
            roots.entry(partial.value).or_default().insert(at);
        }
        let (around, changing, reads) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        Flow { partials, merged, around, roots, changing, reads, bad: BTreeMap::new(), good: BTreeSet::new() }
    }

    /// Notes in which loops values are declared, and which are assigned to.
    fn declare(&mut self, stmts: &[Stmt], around: &mut Vec<LoopId>) {
        for s in stmts {
            if let StmtKind::Def { value, .. } = &s.kind {
                self.around.insert(*value, around.clone());
            }
            if let StmtKind::Set { value, .. } = &s.kind {
                self.changing.insert(*value);
            }
            inside(s, around, &mut |inner, around| self.declare(inner, around));
        }
    }

    /// Follows statements; true where that has shown more.
    fn list(&mut self, stmts: &[Stmt], around: &mut Vec<LoopId>) -> bool {
        let before = self.known();
        for s in stmts {
            self.statement(s, around);
            inside(s, around, &mut |inner, around| _ = self.list(inner, around));
        }
        self.known() > before
    }

    fn known(&self) -> usize {
        let all = self.roots.values().map(BTreeSet::len).chain(self.reads.values().map(BTreeSet::len));
        all.sum::<usize>() + self.bad.len() + self.good.len()
    }

    fn statement(&mut self, s: &Stmt, around: &[LoopId]) {
        match &s.kind {
            StmtKind::Def { value, expr } => {
                let (roots, reads) = (self.roots(expr.operands(), around), self.reads(expr.operands()));
                self.roots.entry(*value).or_default().extend(roots);
                self.reads.entry(*value).or_default().extend(reads);
            }
            StmtKind::Set { value, from } => self.set(*value, *from, s.span, around),
            StmtKind::Append { value, mask, .. } => self.end([*value, *mask], around, (s.span, "it is packed here")),
            // Of loops inside that is judged with what is added.
            StmtKind::Read { value, .. } => {
                let roots = self.roots([*value], around);
                let divided = roots.into_iter().filter(|at| self.partials[*at].along.is_divided);
                self.bad.extend(divided.map(|at| (at, (s.span, "it is read here"))).collect::<Vec<_>>());
            }
            StmtKind::Store { to, value, how } => {
                self.end(to.ids().map(|ids| ids.value), around, (s.span, "it is an index here"));
                match how {
                    StoreHow::Add => {
                        let roots = self.roots([*value], around);
                        self.good.extend(roots);
                    }
                    StoreHow::Plain | StoreHow::Any | StoreHow::Disjoint | StoreHow::Inside => {
                        self.end([*value], around, (s.span, "it is stored here"))
                    }
                }
            }
            // What is shown is a part like any.
            StmtKind::Dump { .. }
            // These take no value.
            | StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::For { .. }
            | StmtKind::If { .. }
            | StmtKind::Loop { .. }
            | StmtKind::Promise { .. }
            | StmtKind::Split { .. }
            | StmtKind::FitTile { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::Enque { .. }
            | StmtKind::Deque { .. }
            | StmtKind::Free { .. }
            | StmtKind::Get { .. }
            | StmtKind::View { .. }
            | StmtKind::Instr { .. }
            | StmtKind::Place { .. }
            | StmtKind::Sync { .. }
            | StmtKind::SyncAll {}
            | StmtKind::Reset { .. }
            | StmtKind::Call { .. } => {}
        }
    }

    /// An assignment: a merge, another name inside of the loop, or an end.
    fn set(&mut self, value: ValueId, from: ValueId, span: SpanId, around: &[LoopId]) {
        let (roots, reads) = (self.roots([from], around), self.reads([from]));
        let outside = |by: LoopId| self.around.get(&value).is_some_and(|own| !own.contains(&by));
        let mut kept = Vec::new();
        for at in roots {
            let Partial { by, along, .. } = &self.partials[at];
            match (self.merged.contains(&value), along.is_divided || !outside(*by)) {
                (true, _) => _ = self.good.insert(at),
                (false, true) => kept.push(at),
                (false, false) if reads.contains(&value) => {
                    self.good.insert(at);
                    kept.push(at);
                }
                (false, false) => {
                    self.bad.entry(at).or_insert((span, "what it was before is lost here"));
                }
            }
        }
        self.roots.entry(value).or_default().extend(kept);
        self.reads.entry(value).or_default().extend(reads);
    }

    fn end(&mut self, values: impl IntoIterator<Item = ValueId>, around: &[LoopId], place: (SpanId, &'static str)) {
        for at in self.roots(values, around) {
            self.bad.entry(at).or_insert(place);
        }
    }

    /// The reductions that values hang from, of loops that still run.
    fn roots(&self, values: impl IntoIterator<Item = ValueId>, around: &[LoopId]) -> BTreeSet<usize> {
        let all = values.into_iter().filter_map(|v| self.roots.get(&v)).flatten().copied();
        // Behind the loop that is divided nothing but what was merged is left.
        all.filter(|at| self.partials[*at].along.is_divided || around.contains(&self.partials[*at].by)).collect()
    }

    fn reads(&self, values: impl IntoIterator<Item = ValueId>) -> BTreeSet<ValueId> {
        let mut found = BTreeSet::new();
        for v in values {
            found.extend(Some(v).filter(|v| self.changing.contains(v)));
            found.extend(self.reads.get(&v).into_iter().flatten());
        }
        found
    }
}

/// Calls `f` on the lists inside of a statement, with the loops around them.
fn inside(s: &Stmt, around: &mut Vec<LoopId>, f: &mut impl FnMut(&[Stmt], &mut Vec<LoopId>)) {
    let depth = around.len();
    if let StmtKind::Loop { tile } = &s.kind {
        around.push(tile.id);
    }
    s.children().into_iter().flatten().for_each(|inner| f(inner, around));
    around.truncate(depth);
}
