//! Values over all cores, as a rewrite of phases: in the phase that merges one every block has its own, which begins with what changes
//! nothing and which it leaves in a workspace; then those of all blocks are loaded and reduced. One number every block reduces for itself.
//! A value with axes gets a phase of its own, whose loop divides its indices among the blocks and leaves the whole in a second
//! workspace: later phases load it from there however their tiles lie.
//!
//! The order is that of the halving of rows (`func::halves`): it depends on the number of blocks alone, so that the same number of cores
//! gives the same bytes. What a block leaves begins at a data block of its own.

use crate::ir::scalar::product;
use crate::ir::uses;
use crate::ir::{
    walk_stmts, walk_stmts_mut, Access, AxDecl, AxFrom, AxId, AxSpec, Axes, Body, Index, LoopId, Operand, RunSize, Scalar,
    ScalarTy, SpanId, Stmt, StmtKind, StoreHow, TileExpr, TileLoop, ValueDecl, ValueId, VarId, WorkDecl, WorkId,
};
use crate::lower::func::Reduce;
use crate::lower::gap::{Gap, Made};
use crate::lower::host::Host;
use crate::ops::{AxisReduceOp, BinaryOp, Op};
use std::collections::BTreeSet;

/// A value over the cores.
pub(super) struct Across {
    value: ValueId,
    op: AxisReduceOp,
    /// What changes nothing, and how two become one.
    neutral: Reduce,
    step: BinaryOp,
    init: Scalar,
    span: SpanId,
    /// Where each block leaves its own.
    work: WorkId,
    /// Where the whole lies, of a value with axes.
    whole: Option<WorkId>,
    /// The axes of a part: those of the value, or a data block of copies of a value without axes.
    axes: Vec<AxId>,
}

/// What is touched along each axis of a part: all of it, or a run.
type Along = Vec<(AxId, Scalar)>;

/// The values over the cores of a body, with a workspace each.
pub(super) fn all(body: &mut Body, host: &Host<'_>, dim: VarId) -> Made<Vec<Across>> {
    let mut found = Vec::new();
    body.walk(&mut |s| {
        if let StmtKind::Def { value, expr: TileExpr::Across { op, init } } = &s.kind {
            found.push((*value, *op, init.clone(), s.span));
        }
    });
    let mut all = Vec::new();
    for (value, op, init, span) in found {
        let decl = body.values[value.index()].clone();
        let lanes = host.chip.data_block_bytes / host.binding.bytes(decl.dtype);
        let mut axes: Vec<AxId> = decl.axes.iter().collect();
        if axes.is_empty() {
            axes.push(new_axis(body, "copies", AxFrom::Whole { extent: Scalar::Int(lanes) }));
        }
        let work = WorkId(body.works.len() as u32);
        let extents = axes.iter().map(|ax| extent(body, *ax)).collect::<Made<Vec<Scalar>>>()?;
        let mut new_work = |name: &str, dims: Vec<Scalar>| {
            let (name, len) = (format!("{}_{name}", decl.name), product(dims));
            body.works.push(WorkDecl { name, dtype: decl.dtype, len, at: Scalar::Int(0), span });
        };
        new_work("parts", parts(&extents, dim, lanes));
        let whole = (!decl.axes.is_empty()).then_some(WorkId(work.0 + 1));
        if whole.is_some() {
            new_work("whole", extents);
        }
        let (Some(neutral), Some(step)) = (Reduce::of(op), op.step()) else {
            return Err(Gap::new(format!("`{}` over the cores", Op::AxisReduce(op).name()), span));
        };
        all.push(Across { value, op, neutral, step, init, span, work, whole, axes });
    }
    Ok(all)
}

/// The sizes of the parts: each begins at a data block.
fn parts(extents: &[Scalar], dim: VarId, lanes: i64) -> Vec<Scalar> {
    let mut dims = vec![Scalar::Var(dim)];
    dims.extend(extents.iter().cloned());
    if let Some(last) = dims.last_mut() {
        *last = last.clone().align_up(lanes);
    }
    dims
}

fn new_axis(body: &mut Body, name: &str, from: AxFrom) -> AxId {
    body.axes.push(AxDecl { name: name.to_string(), from });
    AxId(body.axes.len() as u32 - 1)
}

fn extent(body: &Body, ax: AxId) -> Made<Scalar> {
    match &body.axes[ax.index()].from {
        AxFrom::Whole { extent } => Ok(extent.clone()),
        AxFrom::Run { .. } | AxFrom::Hull { .. } => Err(Gap::of_kernel("a value over the cores along a run")),
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
            uses(s, &mut reads);
        });
        phase.stmts.retain(|s| !matches!(&s.kind, StmtKind::Def { value, .. } if *value == self.value));
        if sets {
            self.merge(phase, host, dim)?;
        } else if packs(&phase.stmts, self.value) {
            self.counted(phase, host, dim)?;
        } else if reads.contains(&self.value) {
            let (stmts, whole) = match self.whole {
                None => self.reduced(phase, host, dim, &self.all())?,
                Some(work) => self.kept(phase, work)?,
            };
            rename(&mut phase.stmts, self.value, whole);
            phase.stmts.splice(0..0, stmts);
        }
        Ok(sets)
    }

    /// What packs begins behind the parts of the blocks before: it is given those of all.
    fn counted(&self, phase: &mut Body, host: &Host<'_>, dim: VarId) -> Made<()> {
        let decl = phase.values[self.value.index()].clone();
        let blocks = new_axis(phase, "blocks", AxFrom::Whole { extent: Scalar::Var(dim) });
        let from = self.place(phase, host, (dim, Index::along(blocks, 0)), &self.all())?;
        let axes = Axes::from([blocks]).union(&self.axes.iter().copied().collect());
        let decl = ValueDecl { name: format!("{}_parts", decl.name), axes, mutable: false, ..decl };
        let parts = new_value(phase, decl);
        phase.stmts.insert(0, Stmt { kind: StmtKind::Def { value: parts, expr: TileExpr::Load { from } }, span: self.span });
        walk_stmts_mut(&mut phase.stmts, &mut |s| match &mut s.kind {
            StmtKind::Append { counts: Some(counts), .. } if *counts == self.value => *counts = parts,
            _ => {}
        });
        Ok(())
    }

    /// The phase that makes the whole of the parts; none for a value without axes.
    pub(super) fn whole_phase(&self, body: &Body, host: &mut Host<'_>, dim: VarId) -> Made<Option<Body>> {
        let Some(work) = self.whole else { return Ok(None) };
        let mut phase = Body { stmts: Vec::new(), ..body.clone() };
        let id = LoopId(u32::MAX - self.work.0);
        let (mut specs, mut along) = (Vec::new(), Along::new());
        for of in self.axes.iter().copied() {
            let name = format!("{}_part", phase.axes[of.index()].name);
            let [start, len] = ["start", "len"].map(|of| host.fresh(&format!("{name}_{of}"), ScalarTy::Index));
            let ax = new_axis(&mut phase, &name, AxFrom::Run { of: id });
            specs.push(AxSpec { ax, of, start, len, size: RunSize::Solved {}, length: None });
            along.push((ax, start.into()));
        }
        let (mut stmts, whole) = self.reduced(&mut phase, host, dim, &along)?;
        let to = Access::new(work.into(), self.extents(&phase)?, indices(&along));
        stmts.push(Stmt { kind: StmtKind::Store { to, value: whole, how: StoreHow::Plain }, span: self.span });
        let tile =
            TileLoop { id, specs, buffer_num: None, block_dim: None, exact: false, any_cut: false, split: None, body: stmts };
        phase.stmts.push(Stmt { kind: StmtKind::Loop { tile }, span: self.span });
        Ok(Some(phase))
    }

    /// All of a part.
    fn all(&self) -> Along {
        self.axes.iter().map(|ax| (*ax, Scalar::Int(0))).collect()
    }

    fn extents(&self, phase: &Body) -> Made<Vec<Scalar>> {
        self.axes.iter().map(|ax| extent(phase, *ax)).collect()
    }

    /// Where the parts lie: of this block, or of all of them.
    fn place(&self, phase: &Body, host: &Host<'_>, (dim, block): (VarId, Index), along: &Along) -> Made<Access> {
        let lanes = host.chip.data_block_bytes / host.binding.bytes(phase.values[self.value.index()].dtype);
        let index = std::iter::once(block).chain(indices(along)).collect();
        Ok(Access::new(self.work.into(), parts(&self.extents(phase)?, dim, lanes), index))
    }

    fn merge(&self, phase: &mut Body, host: &Host<'_>, dim: VarId) -> Made<()> {
        let decl = phase.values[self.value.index()].clone();
        let own = new_value(phase, ValueDecl { name: format!("{}_own", decl.name), ..decl.clone() });
        rename(&mut phase.stmts, self.value, own);
        let neutral = self.neutral.begin(host.binding, decl.dtype);
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
        let own_block = Index::at(Scalar::BlockIdx);
        let to = self.place(phase, host, (dim, own_block), &self.all())?;
        phase.stmts.push(Stmt { kind: StmtKind::Store { to, value: left, how: StoreHow::Plain }, span });
        Ok(())
    }

    /// The whole, loaded from where it lies.
    fn kept(&self, phase: &mut Body, work: WorkId) -> Made<(Vec<Stmt>, ValueId)> {
        let from = Access::new(work.into(), self.extents(phase)?, indices(&self.all()));
        let decl = phase.values[self.value.index()].clone();
        let whole = new_value(phase, ValueDecl { name: format!("{}_whole", decl.name), mutable: false, ..decl });
        Ok((vec![Stmt { kind: StmtKind::Def { value: whole, expr: TileExpr::Load { from } }, span: self.span }], whole))
    }

    /// The whole along axes, reduced from the parts of all blocks.
    fn reduced(&self, phase: &mut Body, host: &Host<'_>, dim: VarId, along: &Along) -> Made<(Vec<Stmt>, ValueId)> {
        let decl = ValueDecl { mutable: false, ..phase.values[self.value.index()].clone() };
        let blocks = new_axis(phase, "blocks", AxFrom::Whole { extent: Scalar::Var(dim) });
        let from = self.place(phase, host, (dim, Index::along(blocks, 0)), along)?;
        let span = self.span;
        let mut stmts = Vec::new();
        let mut def = |phase: &mut Body, name: &str, axes: Axes, expr: TileExpr| {
            let value = new_value(phase, ValueDecl { name: format!("{}_{name}", decl.name), axes, ..decl.clone() });
            stmts.push(Stmt { kind: StmtKind::Def { value, expr }, span });
            value
        };
        let own: Axes = along.iter().map(|(ax, _)| *ax).collect();
        let parts = def(phase, "parts", own.union(&Axes::from([blocks])), TileExpr::Load { from });
        let reduce = TileExpr::reduction;
        let mut all = def(phase, "all", own.clone(), reduce(self.op, parts, Axes::from([blocks])));
        if decl.axes.is_empty() {
            // The copies of one number are the same: their largest is it.
            all = def(phase, "one", Axes::default(), reduce(AxisReduceOp::Max, all, own.clone()));
        }
        let own = if decl.axes.is_empty() { Axes::default() } else { own };
        // Every block has begun with that already.
        if self.init == self.neutral.begin(host.binding, decl.dtype) {
            return Ok((stmts, all));
        }
        let args = vec![Operand::Value { value: all }, Operand::Scalar { value: self.init.clone() }];
        let whole = def(phase, "whole", own, TileExpr::Op { op: Op::Binary(self.step), args });
        Ok((stmts, whole))
    }
}

/// True where statements pack by these numbers.
fn packs(stmts: &[Stmt], by: ValueId) -> bool {
    let mut found = false;
    walk_stmts(stmts, &mut |s| found |= matches!(&s.kind, StmtKind::Append { counts: Some(counts), .. } if *counts == by));
    found
}

fn indices(along: &Along) -> Vec<Index> {
    along.iter().map(|(ax, first)| Index::along(*ax, first.clone())).collect()
}

/// Another value in place of one, wherever statements read or change it.
fn rename(stmts: &mut [Stmt], from: ValueId, to: ValueId) {
    let renamed = |v: ValueId| if v == from { to } else { v };
    walk_stmts_mut(stmts, &mut |s| match &mut s.kind {
        StmtKind::Def { expr, .. } => expr.rename(renamed),
        StmtKind::Set { value, from } => (*value, *from) = (renamed(*value), renamed(*from)),
        StmtKind::Store { value, .. } => *value = renamed(*value),
        StmtKind::Append { value, mask, .. } => (*value, *mask) = (renamed(*value), renamed(*mask)),
        StmtKind::Read { value, .. } | StmtKind::Dump { value, .. } => *value = renamed(*value),
        _ => {}
    });
}
