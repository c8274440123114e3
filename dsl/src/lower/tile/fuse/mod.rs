//! Fuses two passes of a streamed kernel into one.
//!
//! A pass is a loop that `stream` made. The later one reads the final *results* of the earlier one,
//! and values that are made of them between the loops. `softmax` and `variance` know how to compute
//! reductions that read such results in the earlier pass. This module has the common parts:
//!
//! - the reductions of each loop;
//! - the values that both loops compute: equal expressions, with the axes and variables of one loop
//!   in place of those of the other;
//! - the walk over all lists of a body.

pub mod softmax;
pub mod variance;

use crate::ir::names::stem;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    walk_stmts, Access, AxId, Axes, Chosen, LoopId, Operand, Scalar, SpanId, StmtKind, TileExpr,
    TileLoop, TileStmt, Ty, ValueDecl, ValueId, VarId,
};
use crate::lower::nest;
use crate::ops::{AxisReduceOp, BinaryOp, Op};
use std::collections::{BTreeMap, BTreeSet};

/// A reduction that a pass makes part by part.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The accumulator of all parts.
    pub(super) sum: ValueId,
    /// The result of one part.
    pub(super) part: ValueId,
    pub(super) op: AxisReduceOp,
    /// The reduced value.
    pub(super) source: ValueId,
    pub(super) over: Axes,
}

/// A pass, the statements behind it, and the next pass.
pub(super) struct TwoPasses<'b> {
    values: &'b mut Vec<ValueDecl>,
    pub(super) first: TileLoop,
    pub(super) second: TileLoop,
    /// The statements between the loops, without the initial values of the second one.
    pub(super) between: Vec<Stmt>,
    /// The initial values of the second loop's results.
    begin: Vec<Stmt>,
    /// The reductions of each loop.
    pub(super) firsts: Vec<Found>,
    pub(super) seconds: Vec<Found>,
    /// Definitions of the second loop and between the loops.
    defs: BTreeMap<ValueId, TileExpr>,
    /// Values that depend on final results of the first loop.
    late: BTreeSet<ValueId>,
    /// For values of the second loop, their values in the fused loop.
    own: BTreeMap<ValueId, ValueId>,
    /// New statements behind those of the first loop.
    made: Vec<Stmt>,
    span: SpanId,
}

/// A rule that fuses two passes. Returns the statements behind the fused loop, or `None` if it does
/// not apply.
pub(super) type Join<'j> = &'j dyn Fn(&mut TwoPasses<'_>) -> Option<Vec<Stmt>>;

/// Fuses each pass with the one before it where possible. Returns the sources of fused passes.
pub(super) fn joined(body: &mut Body, authors: &BTreeSet<LoopId>, join: Join<'_>) -> Vec<SpanId> {
    let mut spans = Vec::new();
    let stmts = std::mem::take(&mut body.stmts);
    body.stmts = list(&mut body.values, authors, stmts, join, &mut spans);
    if !spans.is_empty() {
        name_runs(body, authors);
    }
    spans
}

/// Renames the variables of the remaining passes, so that numbering has no holes.
fn name_runs(body: &mut Body, authors: &BTreeSet<LoopId>) {
    let mut left: BTreeSet<usize> = BTreeSet::new();
    body.walk(&mut |s| {
        if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
            let own = tile.specs.iter().filter(|_| !authors.contains(&tile.id));
            left.extend(own.flat_map(|spec| [spec.start.index(), spec.len.index()]));
        }
    });
    let Some(first) = left.first().copied() else {
        return;
    };
    // Variables of removed passes stand between.
    let gone = (first..body.vars.len()).filter(|var| !left.contains(var));
    let order: Vec<usize> = left.iter().copied().chain(gone).collect();
    let mut free: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for var in body.vars[first..].iter().rev() {
        free.entry(stem(&var.name).to_string())
            .or_default()
            .push(var.name.clone());
    }
    for var in order {
        let name = &mut body.vars[var].name;
        if let Some(next) = free.get_mut(stem(name)).and_then(Vec::pop) {
            *name = next;
        }
    }
}

/// Returns all loops of a body.
pub fn loops(body: &Body) -> BTreeSet<LoopId> {
    let mut loops = BTreeSet::new();
    body.walk(&mut |s| {
        loops.extend(if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
            Some(tile.id)
        } else {
            None
        })
    });
    loops
}

fn list(
    values: &mut Vec<ValueDecl>,
    authors: &BTreeSet<LoopId>,
    mut stmts: Vec<Stmt>,
    join: Join<'_>,
    spans: &mut Vec<SpanId>,
) -> Vec<Stmt> {
    for s in &mut stmts {
        for inner in s.children_mut().into_iter().flatten() {
            *inner = list(values, authors, std::mem::take(inner), join, spans);
        }
    }
    let is_pass = |s: &Stmt| matches!(&s.kind, StmtKind::Do(TileStmt::Loop { tile }) if !authors.contains(&tile.id));
    let mut at = 0;
    while let Some(first) = stmts[at..].iter().position(is_pass).map(|n| at + n) {
        at = first + 1;
        let Some(second) = stmts[at..].iter().position(is_pass).map(|n| at + n) else {
            break;
        };
        let Some(pair) = TwoPasses::of(values, &stmts[first..=second]) else {
            continue;
        };
        let span = stmts[second].span;
        if let Some(one) = pair.joined(join) {
            spans.push(span);
            stmts.splice(first..=second, one);
            // The next pass may be fused with the result as well.
            at = first;
        }
    }
    stmts
}

impl<'b> TwoPasses<'b> {
    /// Takes the two passes at the ends of a list; `None` if no rule can fuse them.
    fn of(values: &'b mut Vec<ValueDecl>, stmts: &[Stmt]) -> Option<TwoPasses<'b>> {
        let [Stmt {
            kind: StmtKind::Do(TileStmt::Loop { tile: first }),
            span,
        }, between @ .., Stmt {
            kind: StmtKind::Do(TileStmt::Loop { tile: second }),
            ..
        }] = stmts
        else {
            return None;
        };
        let cut = |tile: &TileLoop| {
            tile.specs
                .iter()
                .map(|spec| (spec.of, spec.size.clone()))
                .collect::<Vec<_>>()
        };
        let alike = cut(first) == cut(second) && first.buffer_num == second.buffer_num;
        let seconds = found(second);
        let sums: BTreeSet<ValueId> = seconds.iter().map(|found| found.sum).collect();
        let is_begin = |s: &Stmt| {
            let StmtKind::Do(TileStmt::Def {
                value,
                expr: TileExpr::Fill { .. },
            }) = &s.kind
            else {
                return false;
            };
            sums.contains(value)
        };
        let (begin, between): (Vec<Stmt>, Vec<Stmt>) = between.iter().cloned().partition(is_begin);
        let pair = TwoPasses {
            defs: definitions(values, second.body.iter().chain(&between)),
            firsts: found(first),
            late: BTreeSet::new(),
            own: BTreeMap::new(),
            made: Vec::new(),
            span: *span,
            first: first.clone(),
            second: second.clone(),
            values,
            between,
            begin,
            seconds,
        };
        (alike && pair.begin.len() == sums.len() && pair.reduces_alone() && !pair.loads_anew())
            .then_some(pair)
    }

    /// True if the second loop only reduces.
    fn reduces_alone(&self) -> bool {
        let steps: BTreeSet<ValueId> = self.seconds.iter().map(|found| found.sum).collect();
        let is_own = |s: &Stmt| match s.own() {
            // The total that a scan carries is no result.
            Some(TileStmt::Def {
                expr: TileExpr::Scan { .. },
                ..
            }) => false,
            Some(TileStmt::Def { value, .. }) => !self.values[value.index()].mutable,
            Some(TileStmt::Set { value, .. }) => steps.contains(value),
            Some(TileStmt::Loop { .. } | TileStmt::Store { .. } | TileStmt::Append { .. }) => false,
            Some(TileStmt::Read { .. } | TileStmt::Dump { .. }) | None => false,
        };
        !self.seconds.is_empty() && self.second.body.iter().all(is_own)
    }

    /// True if the second loop loads from tensors that are stored to before it.
    fn loads_anew(&self) -> bool {
        let mut stored = nest::stored(&self.first.body);
        stored.extend(nest::stored(&self.between));
        let mut loads = self.second.body.iter().filter_map(Stmt::access);
        loads.any(|from: &Access| stored.contains(&from.of))
    }

    /// Returns the fused loop with the statements around it.
    fn joined(mut self, join: Join<'_>) -> Option<Vec<Stmt>> {
        self.late = self.lates();
        let early: Vec<ValueId> = self
            .second_defs()
            .filter(|v| !self.late.contains(v))
            .collect();
        let declared = self.values.len();
        early.into_iter().for_each(|v| self.place(v));
        let Some(behind) = join(&mut self) else {
            self.values.truncate(declared);
            return None;
        };
        let TwoPasses {
            mut first,
            mut begin,
            between,
            made,
            span,
            ..
        } = self;
        first.body.extend(made);
        begin.push(Stmt {
            kind: StmtKind::Do(TileStmt::Loop { tile: first }),
            span,
        });
        begin.extend(between.into_iter().chain(behind));
        Some(begin)
    }

    /// Returns the values that depend on results known only behind the first loop.
    fn lates(&self) -> BTreeSet<ValueId> {
        let mut late: BTreeSet<ValueId> = self.firsts.iter().map(|found| found.sum).collect();
        walk_stmts(&self.between, &mut |s| {
            late.extend(
                if let StmtKind::Do(TileStmt::Def { value, .. } | TileStmt::Set { value, .. }) =
                    &s.kind
                {
                    Some(*value)
                } else {
                    None
                },
            );
        });
        for s in &self.second.body {
            if let StmtKind::Do(TileStmt::Def { value, expr }) = &s.kind {
                if expr.operands().any(|v| late.contains(&v)) {
                    late.insert(*value);
                }
            }
        }
        late
    }

    /// Returns the definitions of the second loop in order, without those of its reductions.
    fn second_defs(&self) -> impl Iterator<Item = ValueId> + '_ {
        let set = |s: &Stmt| {
            if let StmtKind::Do(TileStmt::Set { from, .. }) = &s.kind {
                Some(*from)
            } else {
                None
            }
        };
        let steps: BTreeSet<ValueId> = self.second.body.iter().filter_map(set).collect();
        let parts: BTreeSet<ValueId> = self.seconds.iter().map(|found| found.part).collect();
        let defined = self
            .second
            .body
            .iter()
            .filter_map(|s| s.def())
            .map(|(value, _)| value);
        defined.filter(move |v| !steps.contains(v) && !parts.contains(v))
    }

    /// Returns the definition of a value of the second loop, or between the loops.
    pub(super) fn def(&self, v: ValueId) -> Option<&TileExpr> {
        self.defs.get(&v)
    }

    pub(super) fn is_late(&self, v: ValueId) -> bool {
        self.late.contains(&v)
    }

    pub(super) fn ty(&self, v: ValueId) -> Ty {
        self.values[v.index()].dtype
    }

    pub(super) fn axes_of(&self, v: ValueId) -> Axes {
        self.values[v.index()].axes.clone()
    }

    /// Returns the value of the fused loop for a value of the second one, if it is known.
    pub(super) fn now(&self, v: ValueId) -> ValueId {
        self.own.get(&v).copied().unwrap_or(v)
    }

    /// Makes a value of the fused loop replace another value.
    pub(super) fn stands_for(&mut self, now: ValueId, v: ValueId) {
        self.own.insert(v, now);
    }

    /// Adds the late values of the second loop behind all others.
    pub(super) fn place_late(&mut self) {
        let late: Vec<ValueId> = self
            .second_defs()
            .filter(|v| self.late.contains(v))
            .collect();
        late.into_iter().for_each(|v| self.place(v));
    }

    /// Moves a value of the second loop to the fused one, or finds an equal value there.
    fn place(&mut self, v: ValueId) {
        let decl = self.values[v.index()].clone();
        let axes = self.axes(&decl.axes);
        let Some(expr) = self.defs.get(&v).map(|expr| self.moved(v, expr)) else {
            return;
        };
        let same = |s: &Stmt| {
            let StmtKind::Do(TileStmt::Def { value, expr: other }) = &s.kind else {
                return None;
            };
            let known = &self.values[value.index()];
            let is_same =
                !known.mutable && *other == expr && known.dtype == decl.dtype && known.axes == axes;
            is_same.then_some(*value)
        };
        let there = self.first.body.iter().chain(&self.made).find_map(same);
        let now = there.unwrap_or_else(|| self.define(&decl.name, decl.dtype, axes, expr));
        self.own.insert(v, now);
    }

    /// Replaces axes of the second loop by those of the first one.
    pub(super) fn axes(&self, axes: &Axes) -> Axes {
        axes.iter().map(|ax| self.ax(ax)).collect()
    }

    fn ax(&self, ax: AxId) -> AxId {
        let specs = self.second.specs.iter().zip(&self.first.specs);
        specs
            .into_iter()
            .find(|(old, _)| old.ax == ax)
            .map_or(ax, |(_, new)| new.ax)
    }

    /// Rewrites a definition of the second loop for the first one.
    fn moved(&self, v: ValueId, expr: &TileExpr) -> TileExpr {
        let mut s = Stmt {
            kind: StmtKind::Do(TileStmt::Def {
                value: v,
                expr: expr.clone(),
            }),
            span: self.span,
        };
        s.scalars_mut(&mut |scalar| {
            *scalar = scalar.replace(&|node| {
                let Scalar::Var(var) = node else { return None };
                let mut specs = self.second.specs.iter().zip(&self.first.specs);
                specs.find_map(|(old, new)| match *var {
                    var if var == old.start => Some(new.start.into()),
                    var if var == old.len => Some(new.len.into()),
                    _ => None,
                })
            });
        });
        let StmtKind::Do(TileStmt::Def { mut expr, .. }) = s.kind else {
            unreachable!("a definition stays one")
        };
        expr.rename(|v| self.now(v));
        let terms = |index: &mut crate::ir::Index| {
            index
                .terms
                .iter_mut()
                .for_each(|term| term.ax = self.ax(term.ax))
        };
        match &mut expr {
            TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => {
                from.index.iter_mut().for_each(terms)
            }
            TileExpr::Reduce { over, .. } => *over = self.axes(over),
            TileExpr::Scan { along, .. } => *along = self.ax(*along),
            TileExpr::Top { along, to, .. } => {
                [along, to].into_iter().for_each(|ax| *ax = self.ax(*ax))
            }
            TileExpr::Pick { along, at, .. } => {
                *along = self.ax(*along);
                if let Chosen::Index { index } = at {
                    terms(index);
                }
            }
            TileExpr::Fill { .. }
            | TileExpr::Iota { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. }
            | TileExpr::Op { .. }
            | TileExpr::Cast { .. }
            | TileExpr::Truncate { .. }
            | TileExpr::Round { .. }
            | TileExpr::Copy { .. } => {}
        }
        expr
    }

    /// Defines a new value of the fused loop, behind all others.
    pub(super) fn define(&mut self, name: &str, dtype: Ty, axes: Axes, expr: TileExpr) -> ValueId {
        let (value, s) = self.def_of(name, dtype, axes, expr);
        self.made.push(s);
        value
    }

    /// Declares a new value, and returns it with its defining statement.
    pub(super) fn def_of(
        &mut self,
        name: &str,
        dtype: Ty,
        axes: Axes,
        expr: TileExpr,
    ) -> (ValueId, Stmt) {
        self.values.push(ValueDecl {
            name: name.to_string(),
            dtype,
            axes,
            mutable: false,
        });
        let value = ValueId(self.values.len() as u32 - 1);
        (
            value,
            Stmt {
                kind: StmtKind::Do(TileStmt::Def { value, expr }),
                span: self.span,
            },
        )
    }

    /// Defines a new value with the element type and axes of another one.
    pub(super) fn like(&mut self, of: ValueId, what: &str, expr: TileExpr) -> ValueId {
        let ValueDecl {
            name, dtype, axes, ..
        } = self.values[of.index()].clone();
        self.define(&format!("{name}_{what}"), dtype, axes, expr)
    }

    /// Declares a new value like another one, for a place outside of the loop.
    pub(super) fn def_like(&mut self, of: ValueId, what: &str, expr: TileExpr) -> (ValueId, Stmt) {
        let ValueDecl {
            name, dtype, axes, ..
        } = self.values[of.index()].clone();
        self.def_of(&format!("{name}_{what}"), dtype, axes, expr)
    }

    /// Adds a reduction of the second loop over one part.
    pub(super) fn part(&mut self, found: &Found) -> ValueId {
        let (source, over) = (self.now(found.source), self.axes(&found.over));
        self.like(
            found.sum,
            "part",
            TileExpr::reduction(found.op, source, over),
        )
    }

    /// Sets a result of the second loop, in each iteration of the fused one.
    pub(super) fn set(&mut self, sum: ValueId, from: ValueId) {
        self.made.push(self.set_of(sum, from));
    }

    pub(super) fn set_of(&self, value: ValueId, from: ValueId) -> Stmt {
        Stmt {
            kind: StmtKind::Do(TileStmt::Set { value, from }),
            span: self.span,
        }
    }

    /// Defines a value in the first loop at a place where `sum` still holds the result of the parts
    /// before.
    pub(super) fn define_before(&mut self, sum: ValueId, what: &str, expr: TileExpr) -> ValueId {
        let (value, s) = self.def_like(sum, what, expr);
        let reads = |s: &Stmt| matches!(&s.kind, StmtKind::Do(TileStmt::Def { expr, .. }) if expr.operands().any(|v| v == sum));
        let at = self.first.body.iter().position(reads).unwrap_or(0);
        self.first.body.insert(at, s);
        value
    }
}

/// Makes an op of two tiles.
pub(super) fn op(op: BinaryOp, a: ValueId, b: ValueId) -> TileExpr {
    TileExpr::Op {
        op: Op::Binary(op),
        args: vec![Operand::Value { value: a }, Operand::Value { value: b }],
    }
}

/// Makes an op of a tile and a number.
pub(super) fn with(op: BinaryOp, a: ValueId, value: Scalar) -> TileExpr {
    TileExpr::Op {
        op: Op::Binary(op),
        args: vec![Operand::Value { value: a }, Operand::Scalar { value }],
    }
}

/// Returns the reductions that a loop makes part by part.
fn found(tile: &TileLoop) -> Vec<Found> {
    let def = |of: ValueId| {
        tile.body
            .iter()
            .filter_map(|s| s.def())
            .find(|(value, _)| *value == of)
            .map(|(_, expr)| expr)
    };
    let one = |s: &Stmt| {
        let StmtKind::Do(TileStmt::Set { value: sum, from }) = &s.kind else {
            return None;
        };
        let TileExpr::Op {
            op: Op::Binary(step),
            args,
        } = def(*from)?
        else {
            return None;
        };
        let [Operand::Value { value: before }, Operand::Value { value: part }] = args[..] else {
            return None;
        };
        let TileExpr::Reduce {
            op,
            value: source,
            over,
            onto: None,
        } = def(part)?
        else {
            return None;
        };
        let is_sum = before == *sum && def(*sum).is_none() && op.step() == Some(*step);
        is_sum.then(|| Found {
            sum: *sum,
            part,
            op: *op,
            source: *source,
            over: over.clone(),
        })
    };
    tile.body.iter().filter_map(one).collect()
}

/// Returns the definitions of immutable values.
fn definitions<'s>(
    values: &[ValueDecl],
    stmts: impl Iterator<Item = &'s Stmt>,
) -> BTreeMap<ValueId, TileExpr> {
    let defs = stmts
        .filter_map(|s| s.def())
        .filter(|(value, _)| !values[value.index()].mutable);
    defs.map(|(value, expr)| (value, expr.clone())).collect()
}

/// Returns the scalars that a `let` defines and nothing changes.
pub fn lets(before: &[Stmt], body: &Body) -> BTreeMap<VarId, Scalar> {
    let mut lets = BTreeMap::new();
    for stmts in [before, &body.stmts] {
        walk_stmts(stmts, &mut |s| {
            if let StmtKind::LetScalar { var, value } = &s.kind {
                if !body.vars[var.index()].mutable {
                    lets.insert(*var, value.clone());
                }
            }
        });
    }
    lets
}
