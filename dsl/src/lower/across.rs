//! Values over all cores, as a rewrite of phases: in the phase that merges one every block has its own, which begins with what changes
//! nothing and which it leaves in a workspace; then every block loads those of all blocks and reduces them. A value with axes gets a phase of
//! its own for that, in which its last axis is that of the lanes, and which leaves the whole in a workspace of each block: later phases
//! load it from there however their tiles lie.
//!
//! The order is that of the halving of rows (`func::halves`): it depends on the number of blocks alone, so that the same number of cores
//! gives the same bytes. What a block leaves begins at a data block of its own.

use super::func::Reduce;
use super::host::Host;
use super::nest;
use super::{Gap, Made};
use crate::dtype::DType;
use crate::ir::{
    walk_stmts, walk_stmts_mut, Access, AxDecl, AxFrom, AxId, AxSpec, Axes, Body, Index, LoopId, Operand, RunSize, Scalar,
    ScalarTy, SpanId, Stmt, StmtKind, Term, TileExpr, TileLoop, ValueDecl, ValueId, VarId, WorkDecl, WorkId,
};
use crate::ops::{AxisReduceOp, BinaryOp, Op};
use std::collections::BTreeSet;

/// A value over the cores.
pub(super) struct Across {
    value: ValueId,
    op: AxisReduceOp,
    init: Scalar,
    span: SpanId,
    /// Where each block leaves its own.
    work: WorkId,
    /// Where each block keeps the whole, of a value with axes.
    wholes: Option<WorkId>,
    /// The axes of that beside the blocks: those of the value, or a data block of copies of a value without axes.
    axes: Vec<AxId>,
}

/// The values over the cores of a body, with a workspace each.
pub(super) fn all(body: &mut Body, host: &Host<'_>, dim: VarId) -> Made<Vec<Across>> {
    let mut found = Vec::new();
    for s in &body.stmts {
        if let StmtKind::Def { value, expr: TileExpr::Across { op, init } } = &s.kind {
            found.push((*value, *op, init.clone(), s.span));
        }
    }
    let mut all = Vec::new();
    for (value, op, init, span) in found {
        let decl = body.values[value.index()].clone();
        let lanes = host.chip.data_block_bytes / host.binding.bytes(decl.dtype);
        let mut axes: Vec<AxId> = decl.axes.iter().collect();
        if axes.is_empty() {
            axes.push(new_axis(body, "copies", Scalar::Int(lanes)));
        }
        let work = WorkId(body.works.len() as u32);
        let extents = axes.iter().map(|ax| extent(body, *ax)).collect::<Made<Vec<Scalar>>>()?;
        let len = dims(&extents, dim, lanes).into_iter().reduce(|a, b| a * b).unwrap_or(Scalar::Int(1));
        let mut names = vec!["parts"];
        names.extend((!decl.axes.is_empty()).then_some("wholes"));
        for name in &names {
            let name = format!("{}_{name}", decl.name);
            body.works.push(WorkDecl { name, dtype: decl.dtype, len: len.clone(), at: Scalar::Int(0), span });
        }
        let wholes = (names.len() > 1).then_some(WorkId(work.0 + 1));
        all.push(Across { value, op, init, span, work, wholes, axes });
    }
    Ok(all)
}

/// The sizes of a workspace: a block's part begins at a data block.
fn dims(extents: &[Scalar], dim: VarId, lanes: i64) -> Vec<Scalar> {
    let mut dims = vec![Scalar::Var(dim)];
    dims.extend(extents.iter().cloned());
    if let Some(last) = dims.last_mut() {
        *last = last.clone().align_up(lanes);
    }
    dims
}

fn new_axis(body: &mut Body, name: &str, extent: Scalar) -> AxId {
    body.axes.push(AxDecl { name: name.to_string(), from: AxFrom::Whole { extent } });
    AxId(body.axes.len() as u32 - 1)
}

fn extent(body: &Body, ax: AxId) -> Made<Scalar> {
    match &body.axes[ax.index()].from {
        AxFrom::Whole { extent } => Ok(extent.clone()),
        AxFrom::Run { .. } => Err(Gap::of_kernel("a value over the cores along a run")),
    }
}

fn new_value(body: &mut Body, decl: ValueDecl) -> ValueId {
    body.values.push(decl);
    ValueId(body.values.len() as u32 - 1)
}

impl Across {
    /// Rewrites what a phase does with the value; true where it merges it.
    pub(super) fn rewrite(&self, phase: &mut Body, host: &Host<'_>, dim: VarId) -> Made<bool> {
        let (mut sets, mut reads) = (false, BTreeSet::new());
        walk_stmts(&phase.stmts, &mut |s| {
            sets |= matches!(&s.kind, StmtKind::Set { value, .. } if *value == self.value);
            super::simplify::uses(s, &mut reads);
        });
        phase.stmts.retain(|s| !matches!(&s.kind, StmtKind::Def { value, .. } if *value == self.value));
        if sets {
            self.merge(phase, host, dim)?;
        } else if reads.contains(&self.value) {
            let (stmts, whole) = match self.wholes {
                None => self.reduced(phase, host, dim)?,
                Some(wholes) => self.kept(phase, host, (wholes, dim))?,
            };
            rename(&mut phase.stmts, self.value, whole);
            phase.stmts.splice(0..0, stmts);
        }
        Ok(sets)
    }

    /// The phase that makes the whole of the parts; none for a value without axes.
    pub(super) fn whole_phase(&self, body: &Body, host: &mut Host<'_>, dim: VarId) -> Made<Option<Body>> {
        let Some(wholes) = self.wholes else { return Ok(None) };
        let mut phase = Body { stmts: Vec::new(), ..body.clone() };
        let (mut stmts, whole) = self.reduced(&mut phase, host, dim)?;
        let to = self.place(&phase, host, (wholes, dim), own_block())?;
        stmts.push(Stmt { kind: StmtKind::Store { to, value: whole }, span: self.span });
        // Every block makes it, and no loop is divided: one of a single turn does nothing.
        let (id, of) = (LoopId(u32::MAX - self.work.0), new_axis(&mut phase, "once", Scalar::Int(1)));
        phase.axes.push(AxDecl { name: "once_index".to_string(), from: AxFrom::Run { of: id } });
        let ax = AxId(phase.axes.len() as u32 - 1);
        let [start, len] = ["once_start", "once_len"].map(|name| host.fresh(name, ScalarTy::Index));
        let specs = vec![AxSpec { ax, of, start, len, size: RunSize::Each {} }];
        let tile = TileLoop { id, specs, buffer_num: None, block_dim: None, body: Vec::new() };
        stmts.push(Stmt { kind: StmtKind::Loop { tile }, span: self.span });
        Ok(Some(Body { stmts, ..phase }))
    }

    /// Where the parts lie: of this block, or of all of them.
    fn place(&self, phase: &Body, host: &Host<'_>, (work, dim): (WorkId, VarId), block: Index) -> Made<Access> {
        let lanes = host.chip.data_block_bytes / host.binding.bytes(phase.values[self.value.index()].dtype);
        let extents = self.axes.iter().map(|ax| extent(phase, *ax)).collect::<Made<Vec<Scalar>>>()?;
        let along = |ax: &AxId| Index { terms: vec![Term { ax: *ax, factor: Scalar::Int(1) }], offset: Scalar::Int(0) };
        let index = std::iter::once(block).chain(self.axes.iter().map(along)).collect();
        Ok(Access { of: work.into(), dims: dims(&extents, dim, lanes), index })
    }

    fn merge(&self, phase: &mut Body, host: &Host<'_>, dim: VarId) -> Made<()> {
        let decl = phase.values[self.value.index()].clone();
        let own = new_value(phase, ValueDecl { name: format!("{}_own", decl.name), ..decl.clone() });
        rename(&mut phase.stmts, self.value, own);
        let neutral = self.neutral(&decl, host);
        let span = self.span;
        let begin = Stmt { kind: StmtKind::Def { value: own, expr: TileExpr::Fill { value: neutral } }, span };
        let at = phase.stmts.iter().position(|s| matches!(s.kind, StmtKind::Loop { .. })).unwrap_or(0);
        phase.stmts.insert(at, begin);
        let mut left = own;
        if decl.axes.is_empty() {
            let axes: Axes = self.axes.iter().copied().collect();
            left = new_value(phase, ValueDecl { name: format!("{}_copies", decl.name), axes, mutable: false, ..decl });
            phase.stmts.push(Stmt { kind: StmtKind::Def { value: left, expr: TileExpr::Copy { value: own } }, span });
        }
        let to = self.place(phase, host, (self.work, dim), own_block())?;
        phase.stmts.push(Stmt { kind: StmtKind::Store { to, value: left }, span });
        Ok(())
    }

    /// What changes nothing.
    fn neutral(&self, decl: &ValueDecl, host: &Host<'_>) -> Scalar {
        match host.binding.is(decl.dtype, DType::I32) {
            true => Scalar::I32(Reduce::of(self.op).whole_neutral()),
            false => Scalar::Float(Reduce::of(self.op).neutral()),
        }
    }

    /// The whole as this block keeps it.
    fn kept(&self, phase: &mut Body, host: &Host<'_>, of: (WorkId, VarId)) -> Made<(Vec<Stmt>, ValueId)> {
        // What one block does the first one does.
        let first = Index { terms: Vec::new(), offset: Scalar::Int(0) };
        let block = if nest::outer(phase).is_ok_and(|outer| nest::is_once(phase, outer)) { first } else { own_block() };
        let from = self.place(phase, host, of, block)?;
        let decl = phase.values[self.value.index()].clone();
        let whole = new_value(phase, ValueDecl { name: format!("{}_whole", decl.name), mutable: false, ..decl });
        Ok((vec![Stmt { kind: StmtKind::Def { value: whole, expr: TileExpr::Load { from } }, span: self.span }], whole))
    }

    /// The whole, reduced from the parts of all blocks.
    fn reduced(&self, phase: &mut Body, host: &Host<'_>, dim: VarId) -> Made<(Vec<Stmt>, ValueId)> {
        let decl = ValueDecl { mutable: false, ..phase.values[self.value.index()].clone() };
        let blocks = new_axis(phase, "blocks", Scalar::Var(dim));
        let from = self.place(phase, host, (self.work, dim), Index::along(blocks, 0))?;
        let span = self.span;
        let mut stmts = Vec::new();
        let mut def = |phase: &mut Body, name: &str, axes: Axes, expr: TileExpr| {
            let value = new_value(phase, ValueDecl { name: format!("{}_{name}", decl.name), axes, ..decl.clone() });
            stmts.push(Stmt { kind: StmtKind::Def { value, expr }, span });
            value
        };
        let own: Axes = self.axes.iter().copied().collect();
        let parts = def(phase, "parts", own.union(&Axes::from([blocks])), TileExpr::Load { from });
        let reduce = |op, value, over| TileExpr::Reduce { op, value, over };
        let mut all = def(phase, "all", own.clone(), reduce(self.op, parts, Axes::from([blocks])));
        if decl.axes.is_empty() {
            // The copies of one number are the same: their largest is it.
            all = def(phase, "one", Axes::default(), reduce(AxisReduceOp::Max, all, own));
        }
        // Every block has begun with that already.
        if self.init == self.neutral(&decl, host) {
            return Ok((stmts, all));
        }
        let step = match self.op {
            AxisReduceOp::Sum => BinaryOp::Add,
            AxisReduceOp::Max => BinaryOp::Max,
            AxisReduceOp::Min => BinaryOp::Min,
        };
        let args = vec![Operand::Value { value: all }, Operand::Scalar { value: self.init.clone() }];
        let whole = def(phase, "whole", decl.axes.clone(), TileExpr::Op { op: Op::Binary(step), args });
        Ok((stmts, whole))
    }
}

/// The part of this block.
fn own_block() -> Index {
    Index { terms: Vec::new(), offset: Scalar::BlockIdx }
}

/// Another value in place of one, wherever statements read or change it.
fn rename(stmts: &mut [Stmt], from: ValueId, to: ValueId) {
    let renamed = |v: ValueId| if v == from { to } else { v };
    walk_stmts_mut(stmts, &mut |s| match &mut s.kind {
        StmtKind::Def { expr, .. } => expr.rename(renamed),
        StmtKind::Set { value, from } => (*value, *from) = (renamed(*value), renamed(*from)),
        StmtKind::Store { value, .. } => *value = renamed(*value),
        _ => {}
    });
}
