//! Rows that do not fit: the same row kernel over column tiles, as a rewrite inside the tile dialect.
//!
//! The *level* of a value is the number of row reductions it hangs from: a load has level 0, the result of a reduction
//! one more than its operand, anything else the highest level of its operands. Pass k walks the columns once and
//! computes every reduction whose operand has level k, recomputing what it needs from reloaded inputs; after the loop
//! the per-row values of level k + 1 follow. A store runs in the pass of its value's level (into an in-place tensor:
//! in the last pass that loads it). Only straight-line bodies of element-wise, broadcast and row-reduction ops stream.

use super::binding::Binding;
use super::func::Reduce;
use super::nest::{self, Nest};
use crate::ir::{
    Access, AxDecl, AxFrom, AxId, AxSpec, Axes, Body, Index, LoopId, Operand, Role, RunSize, Scalar, ScalarTy, Signature, SpanId,
    Stmt, StmtKind, TensorRef, TileExpr, TileLoop, ValueDecl, ValueId, VarDecl, VarId,
};
use crate::ops::{AxisReduceOp, BinaryOp, Op};
use std::collections::BTreeMap;

/// The streamed form of the row loop of `body`; `None` where it cannot be streamed.
pub(super) fn stream(sig: &Signature, binding: &Binding<'_>, body: &Body, nest: &Nest) -> Option<Body> {
    let mut rewrite = Rewrite::new(sig, binding, body, nest)?;
    let passes = rewrite.levels.values().max().copied().unwrap_or(0);
    for pass in 0..=passes {
        rewrite.pass(pass);
    }
    let Rewrite { mut out, stmts, .. } = rewrite;
    out.stmts = body
        .stmts
        .iter()
        .map(|s| {
            let mut s = s.clone();
            if let StmtKind::Loop { tile } = &mut s.kind {
                tile.body.clone_from(&stmts);
            }
            s
        })
        .collect();
    Some(out)
}

struct Rewrite<'a> {
    sig: &'a Signature,
    binding: &'a Binding<'a>,
    body: &'a Body,
    outer: &'a TileLoop,
    nest: &'a Nest,
    /// The axis of a row.
    row: AxId,
    /// Level of each value.
    levels: BTreeMap<ValueId, usize>,
    /// Definition of each value.
    defs: BTreeMap<ValueId, (&'a TileExpr, SpanId)>,
    /// The reductions, as they follow one another.
    reductions: Vec<Reduction>,
    /// The pass in which each store runs, by the index of its statement.
    store_passes: BTreeMap<usize, usize>,
    out: Body,
    stmts: Vec<Stmt>,
    /// New value of each per-row value so far.
    rows: BTreeMap<ValueId, ValueId>,
    next_loop: u32,
}

impl<'a> Rewrite<'a> {
    fn new(sig: &'a Signature, binding: &'a Binding<'a>, body: &'a Body, nest: &'a Nest) -> Option<Self> {
        let outer = nest::outer(body).ok()?;
        let row = nest.row()?;
        let mut levels = BTreeMap::new();
        let mut defs = BTreeMap::new();
        let mut reductions = Vec::new();
        for s in &outer.body {
            match &s.kind {
                StmtKind::Def { value, expr } => {
                    if body.values[value.index()].mutable {
                        return None;
                    }
                    let level = expr.operands().map(|v| levels.get(&v).copied()).collect::<Option<Vec<usize>>>()?;
                    let level = level.into_iter().max().unwrap_or(0);
                    let reduces = reduced(expr).is_some();
                    if reduces {
                        reductions.push(Reduction::of(*value, expr, s.span)?);
                    }
                    levels.insert(*value, level + usize::from(reduces));
                    defs.insert(*value, (expr, s.span));
                }
                StmtKind::Store { .. } | StmtKind::LetScalar { .. } => {}
                StmtKind::SetScalar { .. }
                | StmtKind::For { .. }
                | StmtKind::If { .. }
                | StmtKind::Loop { .. }
                | StmtKind::Set { .. }
                | StmtKind::Split { .. }
                | StmtKind::FitTile { .. }
                | StmtKind::Alloc { .. }
                | StmtKind::Enque { .. }
                | StmtKind::Deque { .. }
                | StmtKind::Free { .. }
                | StmtKind::Get { .. }
                | StmtKind::View { .. }
                | StmtKind::Instr { .. }
                | StmtKind::SyncAll {}
                | StmtKind::Promise { .. }
                | StmtKind::Reset { .. }
                | StmtKind::Call { .. } => return None,
            }
        }
        // A value loaded from an in-place tensor after a store to it would see the new content.
        for (i, s) in outer.body.iter().enumerate() {
            let StmtKind::Store { to, .. } = &s.kind else { continue };
            let reloaded = outer.body[i..].iter().any(|l| loads_of(l) == Some(to.of));
            if reloaded {
                return None;
            }
        }
        let out = Body { stmts: Vec::new(), ..body.clone() };
        let (stmts, rows, store_passes) = Default::default();
        let next_loop = outer.id.0 + 1;
        let mut rewrite =
            Rewrite { sig, binding, body, outer, nest, row, levels, defs, reductions, store_passes, out, stmts, rows, next_loop };
        rewrite.store_passes = rewrite.plan_stores();
        Some(rewrite)
    }

    /// A store runs in the pass of its value's level, but not before an earlier store to its tensor.
    fn plan_stores(&self) -> BTreeMap<usize, usize> {
        let mut last = BTreeMap::new();
        let mut passes = BTreeMap::new();
        for (i, s) in self.outer.body.iter().enumerate() {
            if let StmtKind::Store { to, value } = &s.kind {
                let own = if self.is_column(*value) { self.levels[value] } else { self.store_pass(to.of, *value) };
                let pass = last.get(&to.of).map_or(own, |before| own.max(*before));
                last.insert(to.of, pass);
                passes.insert(i, pass);
            }
        }
        passes
    }

    fn is_column(&self, v: ValueId) -> bool {
        self.nest.is_column(&self.body.values[v.index()].axes)
    }

    /// The pass in which a full store of `value` to a tensor runs.
    fn store_pass(&self, of: TensorRef, value: ValueId) -> usize {
        let own = self.levels[&value];
        let role = self.sig.tensors().find(|(id, ..)| TensorRef::Param(*id) == of).map(|(_, _, role, _)| role);
        if role != Some(Role::InOut) {
            return own;
        }
        // Every pass that still reads the tensor must come before or be the same.
        let reading = self.outer.body.iter().filter_map(|s| self.pass_of(s)).max().unwrap_or(0);
        own.max(reading)
    }

    /// The last pass in which a statement of the loop body needs its operands per element.
    fn pass_of(&self, s: &Stmt) -> Option<usize> {
        match &s.kind {
            StmtKind::Store { value, .. } if !self.is_column(*value) => Some(self.levels[value]),
            StmtKind::Def { value, expr } => reduced(expr).map(|_| self.levels[value] - 1),
            _ => None,
        }
    }

    fn pass(&mut self, pass: usize) {
        let mut stores = Vec::new();
        for (i, s) in self.outer.body.iter().enumerate() {
            if matches!(s.kind, StmtKind::LetScalar { .. }) && pass == 0 {
                self.stmts.push(s.clone());
            }
            // Per-row values that hang from `pass` reductions are computable before this pass.
            if let StmtKind::Def { value, expr } = &s.kind {
                if self.is_column(*value) && self.levels[value] == pass && reduced(expr).is_none() {
                    self.column_value(*value, expr, s.span);
                }
            }
            if self.store_passes.get(&i) == Some(&pass) {
                self.store(s, &mut stores);
            }
        }
        let now = self.reductions.iter().filter(|r| self.levels[&r.value] == pass + 1).copied();
        let reductions: Vec<Reduction> = now.collect();
        self.column_loop(&reductions, &stores);
    }

    /// Stores a per-row value; gathers the stores of the column loop.
    fn store(&mut self, s: &Stmt, stores: &mut Vec<(Access, ValueId, SpanId)>) {
        let StmtKind::Store { to, value } = &s.kind else { return };
        if self.is_column(*value) {
            let kind = StmtKind::Store { to: to.clone(), value: self.rows[value] };
            self.stmts.push(Stmt { kind, span: s.span });
        } else {
            stores.push((to.clone(), *value, s.span));
        }
    }

    /// Copies the definition of a per-row value.
    fn column_value(&mut self, value: ValueId, expr: &TileExpr, span: SpanId) {
        let mut expr = expr.clone();
        expr.rename(|v| self.rows[&v]);
        let new = self.value(self.body.values[value.index()].clone());
        self.rows.insert(value, new);
        self.stmts.push(Stmt { kind: StmtKind::Def { value: new, expr }, span });
    }

    fn value(&mut self, decl: ValueDecl) -> ValueId {
        self.out.values.push(decl);
        ValueId(self.out.values.len() as u32 - 1)
    }

    fn var(&mut self, name: &str) -> VarId {
        let mut unique = name.to_string();
        let mut n = 2;
        while self.out.vars.iter().any(|v| v.name == unique) {
            unique = format!("{name}_{n}");
            n += 1;
        }
        self.out.add_var(VarDecl { name: unique, ty: ScalarTy::Index, mutable: false })
    }

    /// The loop of one pass; a pass that reduces and stores nothing has none.
    fn column_loop(&mut self, reductions: &[Reduction], stores: &[(Access, ValueId, SpanId)]) {
        if reductions.is_empty() && stores.is_empty() {
            return;
        }
        let id = LoopId(self.next_loop);
        let (start, len) = (self.var("col_start"), self.var("col_length"));
        let ax = AxId(self.out.axes.len() as u32);
        let name = format!("{}_tile", self.body.axes[self.row.index()].name);
        self.out.axes.push(AxDecl { name, from: AxFrom::Run { of: id } });
        let mut accumulators = Vec::new();
        for Reduction { value, neutral, span, .. } in reductions {
            let decl = &self.body.values[value.index()];
            let acc = self.value(ValueDecl { mutable: true, ..decl.clone() });
            let expr = TileExpr::Fill { value: neutral.begin(self.binding, decl.dtype) };
            self.stmts.push(Stmt { kind: StmtKind::Def { value: acc, expr }, span: *span });
            self.rows.insert(*value, acc);
            accumulators.push(acc);
        }
        let mut inner = Inner { ax, start, done: BTreeMap::new(), stmts: Vec::new() };
        for (Reduction { value, op, step, source, span, .. }, acc) in reductions.iter().zip(&accumulators) {
            let source = self.element_value(*source, &mut inner);
            let decl = ValueDecl { mutable: false, ..self.body.values[value.index()].clone() };
            let part = self.value(ValueDecl { name: format!("{}_part", decl.name), ..decl.clone() });
            inner.push(part, TileExpr::reduction(*op, source, Axes::from([ax])), *span);
            let next = self.value(ValueDecl { name: format!("{}_next", decl.name), ..decl });
            let args = vec![Operand::Value { value: *acc }, Operand::Value { value: part }];
            inner.push(next, TileExpr::Op { op: Op::Binary(*step), args }, *span);
            inner.stmts.push(Stmt { kind: StmtKind::Set { value: *acc, from: next }, span: *span });
        }
        // Every load comes before the first store, as it was written.
        let values: Vec<ValueId> = stores.iter().map(|(_, value, _)| self.element_value(*value, &mut inner)).collect();
        for ((to, _, span), value) in stores.iter().zip(values) {
            let kind = StmtKind::Store { to: inner.cut(to, self.row), value };
            inner.stmts.push(Stmt { kind, span: *span });
        }
        let Some(first) = self.stmts.last().or(inner.stmts.first()).filter(|_| !inner.stmts.is_empty()) else { return };
        let span = first.span;
        self.next_loop += 1;
        let specs = vec![AxSpec { ax, of: self.row, start, len, size: RunSize::Solved {} }];
        let tile = TileLoop { id, specs, buffer_num: self.outer.buffer_num, block_dim: None, body: inner.stmts };
        self.stmts.push(Stmt { kind: StmtKind::Loop { tile }, span });
    }

    /// The value over this column tile: a per-row value as it is, anything else recomputed once a loop.
    fn element_value(&mut self, value: ValueId, inner: &mut Inner) -> ValueId {
        if let Some(v) = self.rows.get(&value) {
            return *v;
        }
        if let Some(v) = inner.done.get(&value) {
            return *v;
        }
        let (expr, span) = self.defs[&value];
        let mut expr = expr.clone();
        let decl = self.body.values[value.index()].clone();
        match &mut expr {
            TileExpr::Load { from } | TileExpr::LoadOr { from, .. } => *from = inner.cut(from, self.row),
            TileExpr::Iota { first } if decl.axes.contains(self.row) => {
                let beside = self.binding.beside(decl.dtype);
                *first = Scalar::cast(beside, Scalar::Var(inner.start)) + first.clone();
            }
            TileExpr::Iota { .. }
            | TileExpr::Fill { .. }
            | TileExpr::Across { .. }
            | TileExpr::Reduce { .. }
            | TileExpr::Op { .. }
            | TileExpr::Cast { .. }
            | TileExpr::Round { .. }
            | TileExpr::Copy { .. } => {}
        }
        let sources: BTreeMap<ValueId, ValueId> =
            expr.operands().collect::<Vec<_>>().into_iter().map(|v| (v, self.element_value(v, inner))).collect();
        expr.rename(|v| sources[&v]);
        let axes = decl.axes.replaced(self.row, inner.ax);
        let new = self.value(ValueDecl { axes, ..decl });
        inner.push(new, expr, span);
        inner.done.insert(value, new);
        new
    }
}

/// A reduction over a row.
#[derive(Clone, Copy)]
struct Reduction {
    value: ValueId,
    op: AxisReduceOp,
    /// How parts are joined.
    step: BinaryOp,
    neutral: Reduce,
    source: ValueId,
    span: SpanId,
}

impl Reduction {
    /// `None` for one that cannot be made in parts.
    fn of(value: ValueId, expr: &TileExpr, span: SpanId) -> Option<Reduction> {
        let op = reduced(expr)?;
        Some(Reduction { value, op, step: op.step()?, neutral: Reduce::of(op)?, source: expr.operands().next()?, span })
    }
}

/// The reduction over rows that an expression is.
fn reduced(expr: &TileExpr) -> Option<AxisReduceOp> {
    match expr {
        TileExpr::Reduce { op, .. } => Some(*op),
        TileExpr::Load { .. }
        | TileExpr::LoadOr { .. }
        | TileExpr::Fill { .. }
        | TileExpr::Iota { .. }
        | TileExpr::Across { .. }
        | TileExpr::Op { .. }
        | TileExpr::Cast { .. }
        | TileExpr::Round { .. }
        | TileExpr::Copy { .. } => None,
    }
}

/// The column loop under construction.
struct Inner {
    /// Its axis and the first index of that.
    ax: AxId,
    start: VarId,
    done: BTreeMap<ValueId, ValueId>,
    stmts: Vec<Stmt>,
}

impl Inner {
    /// The part of an access over a whole row that a turn has.
    fn cut(&self, access: &Access, row: AxId) -> Access {
        let own = |index: &Index| match &index.terms[..] {
            [term] if term.ax == row => Index::along(self.ax, self.start),
            _ => index.clone(),
        };
        Access { index: access.index.iter().map(own).collect(), ..access.clone() }
    }

    fn push(&mut self, value: ValueId, expr: TileExpr, span: SpanId) {
        self.stmts.push(Stmt { kind: StmtKind::Def { value, expr }, span });
    }
}

fn loads_of(s: &Stmt) -> Option<TensorRef> {
    let StmtKind::Def { expr: TileExpr::Load { from } | TileExpr::LoadOr { from, .. }, .. } = &s.kind else { return None };
    Some(from.of)
}
