//! The walk over the statements of a tile kernel, which become queue dialect.
//!
//! Loads come first in their list of statements (an expert's CopyIn stage), each through a VECIN queue; a stored value
//! is computed in a VECOUT tensor, and so is the chain of values that die into it; everything else lives in TBufs
//! shared by liveness, or in place of an operand that dies. Loads that do not depend on the loop stand before it.

use super::loads::{load_run, Load};
use super::nest::spec;
use super::ops::{define, expanded, local_copy, stand_again};
use super::scope::Scope;
use super::site::Site;
use super::split::Split;
use super::{Gap, Made};
use crate::ir::{walk_stmts, Scalar, ScalarTy, SpanId, Stage, Stmt, StmtKind, TileExpr, TileLoop, ValueId, VarId};
use std::collections::BTreeSet;

/// Lowers lists of statements.
pub(super) struct Walk<'w, 'h, 'a> {
    pub(super) site: &'w mut Site<'h, 'a>,
    pub(super) split: &'w Split,
}

impl Walk<'_, '_, '_> {
    /// Lowers a list of statements, in which values live and die.
    pub(super) fn list(&mut self, stmts: &[Stmt], out: &mut Vec<Stmt>) -> Made<()> {
        let padding = self.site.padding.clone();
        let mut scope = Scope::open(stmts, self.site)?;
        for at in 0..stmts.len() {
            self.statement(&mut scope, at, out)?;
            scope.pass(self.site, at, out)?;
        }
        // What is filled here is not where this list is not reached.
        self.site.padding = padding;
        scope.close(self.site, out)
    }

    fn statement(&mut self, scope: &mut Scope<'_>, at: usize, out: &mut Vec<Stmt>) -> Made<()> {
        let stmts = scope.stmts;
        let s = &stmts[at];
        match &s.kind {
            StmtKind::Def { value, expr: TileExpr::Load { .. } } => self.loads(*value, &stmts[at..], out)?,
            StmtKind::Def { value, expr } => {
                let home = scope.place(self.site, at, (*value, expr), out)?;
                self.site.places.settle(*value, home);
                if let Some(replaced) = scope.replaces(*value) {
                    self.changes(replaced);
                }
                define(self.site, (*value, expr), s.span, out)?;
                self.site.padding.defined(*value, expr, &self.site.values);
                stand_again(self.site, *value, s.span, out)?;
            }
            StmtKind::Set { value, from } => self.set(*value, *from, s.span, out)?,
            StmtKind::Store { value, .. } => scope.store(self.site, at, *value, out)?,
            StmtKind::LetScalar { var, value } => self.let_scalar(*var, value, s.span, out),
            StmtKind::SetScalar { var, value } => {
                let value = self.site.scalar(value);
                out.push(Stmt { kind: StmtKind::SetScalar { var: *var, value }, span: s.span });
            }
            StmtKind::Loop { tile } => self.tile_loop(tile, s.span, out)?,
            StmtKind::For { var, from, to, body } => {
                let from = self.site.host.on_device(from, "from");
                let to = self.site.host.on_device(to, "to");
                self.repeats(body);
                let body = self.inner(body)?;
                out.push(Stmt { kind: StmtKind::For { var: *var, from, to, body }, span: s.span });
            }
            StmtKind::If { cond, then, other } => {
                let cond = self.site.host.on_device(cond, "condition");
                let (then, other) = (self.inner(then)?, self.inner(other)?);
                out.push(Stmt { kind: StmtKind::If { cond, then, other }, span: s.span });
            }
            StmtKind::Split { .. }
            | StmtKind::SyncAll {}
            | StmtKind::FitTile { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::Enque { .. }
            | StmtKind::Deque { .. }
            | StmtKind::Free { .. }
            | StmtKind::Get { .. }
            | StmtKind::View { .. }
            | StmtKind::Instr { .. }
            | StmtKind::Call { .. } => return Err(Gap::new("a queue among tiles", s.span)),
        }
        Ok(())
    }

    fn inner(&mut self, stmts: &[Stmt]) -> Made<Vec<Stmt>> {
        let mut out = Vec::new();
        self.list(stmts, &mut out)?;
        Ok(out)
    }

    /// Loads come together: those behind the first find their values in place.
    fn loads(&mut self, first: ValueId, stmts: &[Stmt], out: &mut Vec<Stmt>) -> Made<()> {
        if self.site.places.find(first).is_some() {
            return Ok(());
        }
        let run: Vec<Load<'_>> = stmts.iter().map_while(Load::of).collect();
        load_run(self.site, &run, out)?;
        run.iter().try_for_each(|load| stand_again(self.site, load.value, load.span, out))
    }

    /// The old content of a value is gone, and with it what was expanded from it.
    fn changes(&mut self, value: ValueId) {
        let places = &mut self.site.places;
        places.columns.forget(value, &mut places.pool);
    }

    /// What a turn of a loop changes the next one may not read as it was expanded before the loop.
    fn repeats(&mut self, body: &[Stmt]) {
        read_and_changed(body).1.into_iter().for_each(|value| self.changes(value));
    }

    fn set(&mut self, value: ValueId, from: ValueId, span: SpanId, out: &mut Vec<Stmt>) -> Made<()> {
        let (to, source) = (self.site.home(value)?, self.site.home(from)?);
        if to != source {
            out.push(local_copy(self.site, to, source, value, span)?);
        }
        self.changes(value);
        Ok(())
    }

    /// What the host can compute it does; else the scalar is the device's.
    fn let_scalar(&mut self, var: VarId, value: &Scalar, span: SpanId, out: &mut Vec<Stmt>) {
        let host = &mut *self.site.host;
        let name = host.vars[var.index()].name.clone();
        if host.vars[var.index()].mutable || host.stage(value) > Stage::Host {
            let value = host.on_device(value, &name);
            out.push(Stmt { kind: StmtKind::LetScalar { var, value }, span });
        } else if !host.is_host_var(var) {
            host.define_as(var, value.clone());
        }
    }

    fn tile_loop(&mut self, tile: &TileLoop, span: SpanId, out: &mut Vec<Stmt>) -> Made<()> {
        let spec = spec(tile)?;
        let is_inner = spec.ax != self.site.values.nest.outer;
        let index = self.site.host.fresh(if is_inner { "col_index" } else { "tile_index" }, ScalarTy::Index);
        let (first, length) = if is_inner {
            (Scalar::Int(0), self.site.values.whole_row()?)
        } else {
            let (start, len) = self.split.share(self.site.host, span, out);
            (start.into(), len.into())
        };
        self.repeats(&tile.body);
        if is_inner {
            self.expand_before(tile, span, out)?;
        }
        let step = self.site.values.room(spec.ax)?;
        let at = Scalar::Var(index) * step.clone();
        let mut body = vec![
            Stmt { kind: StmtKind::LetScalar { var: spec.start, value: first + at.clone() }, span },
            Stmt { kind: StmtKind::LetScalar { var: spec.len, value: step.clone().min(length.clone() - at) }, span },
        ];
        self.list(&tile.body, &mut body)?;
        let kind = StmtKind::For { var: index, from: Scalar::Int(0), to: length.ceil_div(step), body };
        out.push(Stmt { kind, span });
        Ok(())
    }

    /// Expands column values that a column loop uses but does not change once, before it.
    fn expand_before(&mut self, tile: &TileLoop, span: SpanId, out: &mut Vec<Stmt>) -> Made<()> {
        let (wanted, changed) = read_and_changed(&tile.body);
        for (v, by) in wanted {
            let here = self.site.places.find(v).is_some() && !changed.contains(&v);
            if here && !self.site.values.tile(by)?.is_column() && self.site.values.tile(v)?.is_column_of_rows() {
                expanded(self.site, v, span, out)?;
            }
        }
        Ok(())
    }
}

/// Values that statements read, each with the value that it is read for, and mutable ones that they change.
fn read_and_changed(stmts: &[Stmt]) -> (Vec<(ValueId, ValueId)>, BTreeSet<ValueId>) {
    let (mut read, mut changed) = (Vec::new(), BTreeSet::new());
    walk_stmts(stmts, &mut |s| {
        if let StmtKind::Def { value, expr } = &s.kind {
            read.extend(expr.operands().map(|v| (v, *value)));
        }
        if let StmtKind::Set { value, .. } = &s.kind {
            changed.insert(*value);
        }
    });
    (read, changed)
}
