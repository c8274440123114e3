//! The body of a tile loop as queue dialect: which value lives in which queue block or buffer, and the statements.
//!
//! Loads come first in their block of statements (an expert's CopyIn stage), each through a VECIN queue; a stored value
//! is computed in a VECOUT tensor, and so is the chain of values that die into it; everything else lives in TBufs
//! shared by liveness, or in place of an operand that dies. Loads that do not depend on the loop stand before it.
//! Where the double-buffered loads would need more than eight VECIN blocks, the loads of a run share one block.

use super::host::Host;
use super::life::Life;
use super::place::{Group, Home, Target};
use super::sizes::Sizes;
use super::split::Split;
use super::stream::operands;
use super::{require, Gap, Made, Plan};
use crate::ir::{
    Body, BufId, HostStep, LoopId, LoopKind, QueueId, Scalar, ScalarTy, SpanId, Stmt, StmtKind, TPosition, TensorId, TileExpr,
    TileLoop, TileShape, Ty, ValueId, VarId, Variant,
};
use crate::soc::MAX_BLOCKS_PER_POSITION;
use std::collections::{BTreeMap, BTreeSet};

/// A variant whose sizes are still to be found.
pub(super) struct Built {
    pub variant: Variant,
    pub plan: Plan,
    solver: Vec<HostStep>,
    fits: Scalar,
    common: usize,
}

impl Built {
    /// Puts the solver among the common steps; gives the condition under which something fits.
    pub(super) fn solve_into(&self, host: &mut Host<'_>) -> Scalar {
        for step in &self.solver {
            push(host, step.clone());
        }
        self.fits.clone()
    }
    /// Puts the solver among the variant's own steps and demands that something fits.
    pub(super) fn finish(mut self, host: &mut Host<'_>) -> (Variant, Plan) {
        for step in &self.solver {
            push(host, step.clone());
        }
        host.steps.push(require(self.fits, "not even the smallest tile of this shape fits in UB"));
        self.variant.steps = host.steps.split_off(self.common);
        (self.variant, self.plan)
    }
}

fn push(host: &mut Host<'_>, step: HostStep) {
    match step {
        HostStep::Solve { var, .. } => host.solved(var, step),
        HostStep::Let { var, value } => host.define_as(var, value),
        HostStep::Fits { .. } | HostStep::Require { .. } => host.steps.push(step),
    }
}

/// The column loops of a variant.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Loops {
    /// Those of the author, or none because rows are small.
    Written,
    /// None, and no other variant cuts the rows.
    WholeRows,
    /// Those that streaming made.
    Planned,
}

/// Builds one variant. Solver steps are made but not yet placed (see [`Built`]).
pub(super) fn build(name: &str, host: &mut Host<'_>, split: &Split, body: &Body, loops: Loops) -> Made<Built> {
    let (_, outer) = super::split::outer_loop(body).ok_or_else(|| Gap::new("no tile loop", SpanId(0)))?;
    let common = host.steps.len();
    split.require_short_strides(host, body, outer);
    let sizes = Sizes::new(host, split, outer, name);
    let given = outer.buffer_num.unwrap_or(2);
    let mut options = Options { group_loads: false, in_buffers: given, out_buffers: None };
    let (out, uses_brcb) = loop {
        let mut trial = host.clone();
        let made = Builder::run(&mut trial, split, body, outer, &sizes, options)?;
        let blocks = |position| -> i64 {
            made.out.queues.iter().filter(|q| q.position == position).filter_map(|q| q.buffer_num.as_int()).sum()
        };
        let too_many = blocks(TPosition::VecIn) > MAX_BLOCKS_PER_POSITION;
        // Loops that the author did not write may not cost more blocks than there are.
        let fewer = too_many && options.group_loads && loops == Loops::Planned && options.in_buffers > 1;
        let in_buffers = options.in_buffers - i64::from(fewer);
        let group_loads = options.group_loads || too_many;
        let out_buffers = options.out_buffers.or((blocks(TPosition::VecOut) > MAX_BLOCKS_PER_POSITION).then_some(1));
        let next = Options { group_loads, in_buffers, out_buffers };
        if next == options {
            let Builder { out, uses_brcb, .. } = made;
            *host = trial;
            break (out, uses_brcb);
        }
        options = next;
    };
    let (bytes, solver, fits, plan_sizes) = sizes.solve(host, split, outer, &out, uses_brcb);
    let fields = fields(host, &out);
    let variant = Variant {
        name: name.to_string(),
        when: Scalar::Bool(true),
        steps: Vec::new(),
        block_dim: split.block_dim.into(),
        workspace: Scalar::Int(0),
        fields,
        known: std::mem::take(&mut host.known_vars),
        body: Body { vars: host.vars.clone(), ..out },
    };
    Ok(Built { variant, plan: Plan { bytes, sizes: plan_sizes, whole_rows: loops == Loops::WholeRows }, solver, fits, common })
}

/// Host variables that a body reads: the members of its tiling data.
pub(super) fn fields(host: &Host<'_>, body: &Body) -> Vec<VarId> {
    let mut read = BTreeSet::new();
    let mut note = |s: &Scalar| s.walk(&mut |n| read.extend(as_var(n)));
    body.walk(&mut |s| s.scalars(&mut |e| note(e)));
    body.queues.iter().for_each(|q| note(&q.bytes));
    body.bufs.iter().for_each(|b| note(&b.bytes));
    read.into_iter().filter(|v| host.is_field(*v)).collect()
}

fn as_var(s: &Scalar) -> Option<VarId> {
    match s {
        Scalar::Var(v) => Some(*v),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(super) struct Options {
    pub(super) group_loads: bool,
    /// Buffers of each VECIN queue.
    pub(super) in_buffers: i64,
    /// Buffers of each VECOUT queue, where they are fewer.
    pub(super) out_buffers: Option<i64>,
}

/// A TBuf and who may use it.
pub(super) struct Slot {
    pub(super) buf: BufId,
    pub(super) bytes: Scalar,
    pub(super) free: bool,
    /// Views of the buffer by element type.
    pub(super) views: Vec<(Ty, TensorId)>,
}

/// Extent of a tile loop.
#[derive(Clone)]
pub(super) struct Extent {
    pub(super) kind: LoopKind,
    pub(super) start: VarId,
    pub(super) len: VarId,
    pub(super) parent: Option<LoopId>,
}

pub(super) struct Builder<'h, 'a> {
    pub(super) host: &'h mut Host<'a>,
    pub(super) split: &'h Split,
    pub(super) src: &'h Body,
    pub(super) sizes: &'h Sizes,
    pub(super) options: Options,
    pub(super) buffer_num: i64,
    pub(super) out: Body,
    pub(super) homes: BTreeMap<ValueId, Home>,
    pub(super) slots: Vec<Slot>,
    pub(super) loops: BTreeMap<LoopId, Extent>,
    pub(super) gets: Vec<Stmt>,
    /// Column values expanded to data blocks, innermost block of statements last.
    pub(super) blocks: Vec<(ValueId, usize, TensorId)>,
    pub(super) uses_brcb: bool,
    /// Loop variable of every loop over the rows of a tile; they never nest.
    pub(super) row: Option<VarId>,
    /// Work buffer of reductions, made on first use.
    pub(super) work: Option<usize>,
    /// VECOUT queues of the stores of this scope and those around it, whose blocks may be out.
    pub(super) claimed: Vec<QueueId>,
    /// Queues of shared blocks that sibling loops take turns with.
    pub(super) group_queues: Vec<QueueId>,
    /// Of each shared block: the tensor to free, and how many values in it still live.
    pub(super) group_left: BTreeMap<QueueId, (TensorId, usize)>,
    /// Bytes that buffers are rounded up to.
    pub(super) round: i64,
    pub(super) depth: usize,
}

impl<'h, 'a> Builder<'h, 'a> {
    pub(super) fn run(
        host: &'h mut Host<'a>,
        split: &'h Split,
        src: &'h Body,
        outer: &TileLoop,
        sizes: &'h Sizes,
        options: Options,
    ) -> Made<Self> {
        let mut compares = false;
        src.walk(&mut |s| {
            compares |= matches!(&s.kind, StmtKind::Def { value, .. } if src.values[value.index()].dtype == Ty::Mask);
        });
        // Compare works on whole repeats, so its operands must own them.
        let round = if compares { host.chip.repeat_bytes } else { host.chip.data_block_bytes };
        let mut b = Builder {
            host,
            split,
            src,
            sizes,
            options,
            buffer_num: outer.buffer_num.unwrap_or(2),
            out: Body::default(),
            homes: BTreeMap::new(),
            slots: Vec::new(),
            loops: BTreeMap::new(),
            gets: Vec::new(),
            blocks: Vec::new(),
            uses_brcb: false,
            row: None,
            work: None,
            claimed: Vec::new(),
            group_queues: Vec::new(),
            group_left: BTreeMap::new(),
            round,
            depth: 0,
        };
        let mut out = Vec::new();
        b.block(&src.stmts, &mut out)?;
        b.out.stmts = std::mem::take(&mut b.gets);
        b.out.stmts.extend(out);
        Ok(b)
    }

    // ---- extents ----

    pub(super) fn rows_live(&self, id: LoopId) -> Scalar {
        self.loops.get(&id).map_or(Scalar::Int(0), |l| l.len.into())
    }

    /// Elements from row to row of values over the columns of a loop.
    pub(super) fn pitch(&self, id: LoopId) -> Scalar {
        let sizes = self.sizes;
        let var = match self.loops.get(&id).map(|l| l.kind) {
            Some(LoopKind::Cols) => sizes.col_tile,
            Some(LoopKind::Flat) => sizes.tile_length,
            Some(LoopKind::Rows) | None => sizes.pitch,
        };
        var.map_or(Scalar::Int(1), Scalar::Var)
    }

    /// Valid columns of a loop.
    pub(super) fn cols_live(&self, id: LoopId) -> Scalar {
        match self.loops.get(&id) {
            Some(l) if l.kind != LoopKind::Rows => l.len.into(),
            _ => self.split.cols.map_or(Scalar::Int(1), Scalar::Var),
        }
    }

    /// Elements that a buffer of this shape must hold.
    pub(super) fn capacity(&self, shape: TileShape) -> Scalar {
        let rows = match shape.rows {
            Some(_) => self.sizes.rows.map_or(Scalar::Int(1), Scalar::Var),
            None => Scalar::Int(1),
        };
        match shape.cols {
            Some(l) => rows * self.pitch(l),
            None => rows,
        }
    }

    /// Elements that an element-wise op of this shape works on; padding between rows included.
    pub(super) fn live(&self, shape: TileShape) -> Scalar {
        match (shape.rows, shape.cols) {
            (Some(r), Some(c)) => self.rows_live(r) * self.pitch(c),
            (None, Some(c)) => self.cols_live(c),
            (Some(r), None) => self.rows_live(r),
            (None, None) => Scalar::Int(1),
        }
    }

    pub(super) fn row_var(&mut self) -> VarId {
        *self.row.get_or_insert_with(|| self.host.fresh("row", ScalarTy::Index))
    }

    pub(super) fn rows_of(&self, shape: TileShape) -> Scalar {
        shape.rows.map_or(Scalar::Int(1), |r| self.rows_live(r))
    }

    pub(super) fn buffer_bytes(&self, shape: TileShape, ty: Ty) -> Scalar {
        let elements = self.capacity(shape);
        if ty == Ty::Mask {
            return elements.ceil_div(8).align_up(self.host.chip.data_block_bytes);
        }
        let bytes = elements * self.size(ty);
        if self.host.multiple_of(&bytes) % self.round == 0 {
            bytes
        } else {
            bytes.align_up(self.round)
        }
    }

    pub(super) fn size(&self, ty: Ty) -> i64 {
        ty.resolve(self.host.binding).bytes()
    }

    pub(super) fn shape(&self, v: ValueId) -> TileShape {
        self.src.values[v.index()].shape
    }

    pub(super) fn ty(&self, v: ValueId) -> Ty {
        self.src.values[v.index()].dtype
    }

    // ---- statements ----

    /// Lowers a list of statements that form one scope.
    pub(super) fn block(&mut self, stmts: &[Stmt], out: &mut Vec<Stmt>) -> Made<()> {
        self.depth += 1;
        let life = Life::of(stmts);
        let blocks_before = self.blocks.len();
        let mut groups = self.store_groups(stmts, &life);
        let designated = self.designate(stmts, &life, &groups);
        let claimed = self.claimed.len();
        self.claimed.extend(groups.iter().map(|g| g.queue));
        for (i, s) in stmts.iter().enumerate() {
            self.statement(i, s, stmts, &life, &mut groups, &designated, out)?;
            self.release(i, &life, s.span, out);
            self.leave(i, &mut groups, out);
        }
        for v in &life.defined {
            let mutable = self.src.values[v.index()].mutable;
            if mutable {
                self.drop_value(*v, stmts.last().map_or(SpanId(0), |s| s.span), out);
            }
        }
        self.drop_blocks(|i, _| i < blocks_before);
        self.claimed.truncate(claimed);
        self.depth -= 1;
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn statement(
        &mut self,
        i: usize,
        s: &Stmt,
        stmts: &[Stmt],
        life: &Life,
        groups: &mut [Group],
        designated: &BTreeMap<ValueId, Target>,
        out: &mut Vec<Stmt>,
    ) -> Made<()> {
        match &s.kind {
            StmtKind::Def { value, expr: TileExpr::Load { .. } } => {
                if self.homes.contains_key(value) {
                    return Ok(()); // Came with the loads before it.
                }
                let run = stmts[i..].iter().take_while(|s| matches!(s.kind, StmtKind::Def { expr: TileExpr::Load { .. }, .. }));
                self.load_run(&run.cloned().collect::<Vec<_>>(), out);
            }
            StmtKind::Def { value, expr } => {
                let target = self.target(*value, expr, i, s.span, life, groups, designated, out);
                self.homes.insert(*value, target);
                if let Some(Target::Mutable(m)) = designated.get(value) {
                    // The old content of `m` is gone, and with it what was expanded from it.
                    let m = *m;
                    self.drop_blocks(|_, b| b != m);
                }
                self.define(*value, expr, s.span, out)?;
            }
            StmtKind::Set { value, from } => {
                let (to, from) = (self.home(*value)?, self.home(*from)?);
                if to != from {
                    self.local_copy(to, from, self.shape(*value), self.ty(*value), s.span, out);
                }
                let value = *value;
                self.drop_blocks(|_, b| b != value);
            }
            StmtKind::Store { value, .. } => {
                if let Some(g) = groups.iter().position(|g| g.stores.iter().any(|(at, _)| *at == i)) {
                    if groups[g].tensor.is_none() {
                        // A value that could not be computed in place: a load, a mutable value, one of an outer scope.
                        let tensor = self.alloc_out(&mut groups[g], self.ty(*value), s.span, out);
                        let from = self.home(*value)?;
                        self.local_copy(tensor, from, self.shape(*value), self.ty(*value), s.span, out);
                    }
                }
            }
            StmtKind::LetScalar { var, value } => {
                let name = self.host.vars[var.index()].name.clone();
                if self.host.vars[var.index()].mutable || self.host.stage(value) > crate::ir::Stage::Host {
                    let value = self.host.on_device(value, &name);
                    out.push(Stmt { kind: StmtKind::LetScalar { var: *var, value }, span: s.span });
                } else if !self.host.is_host_var(*var) {
                    self.host.define_as(*var, value.clone());
                }
            }
            StmtKind::SetScalar { var, value } => {
                let value = self.host.on_device(value, "scalar");
                out.push(Stmt { kind: StmtKind::SetScalar { var: *var, value }, span: s.span });
            }
            StmtKind::Loop { tile } => self.tile_loop(tile, s.span, out)?,
            StmtKind::For { var, from, to, body } => {
                let from = self.host.on_device(from, "from");
                let to = self.host.on_device(to, "to");
                let mut inner = Vec::new();
                self.block(body, &mut inner)?;
                out.push(Stmt { kind: StmtKind::For { var: *var, from, to, body: inner }, span: s.span });
            }
            StmtKind::If { cond, then, other } => {
                let cond = self.host.on_device(cond, "condition");
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                self.block(then, &mut yes)?;
                self.block(other, &mut no)?;
                out.push(Stmt { kind: StmtKind::If { cond, then: yes, other: no }, span: s.span });
            }
            StmtKind::Split { .. }
            | StmtKind::FitTile { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::Enque { .. }
            | StmtKind::Deque { .. }
            | StmtKind::Free { .. }
            | StmtKind::Get { .. }
            | StmtKind::View { .. }
            | StmtKind::Instr { .. } => return Err(Gap::new("a queue among tiles", s.span)),
        }
        Ok(())
    }

    pub(super) fn tile_loop(&mut self, tile: &TileLoop, span: SpanId, out: &mut Vec<Stmt>) -> Made<()> {
        self.loops.insert(tile.id, Extent { kind: tile.kind, start: tile.start, len: tile.len, parent: tile.parent });
        let index = self.host.fresh(if tile.kind == LoopKind::Cols { "col_index" } else { "tile_index" }, ScalarTy::Index);
        let (first, length) = match tile.kind {
            LoopKind::Cols => (Scalar::Int(0), self.split.cols.map_or(Scalar::Int(0), Scalar::Var)),
            LoopKind::Flat | LoopKind::Rows => {
                let split = self.split;
                let (start, len) = split.share(self.host, span, out);
                (start.into(), len.into())
            }
        };
        self.expand_before(tile, span, out)?;
        let step: Scalar = match tile.kind {
            LoopKind::Rows => self.sizes.rows.map_or(Scalar::Int(1), Scalar::Var),
            LoopKind::Flat | LoopKind::Cols => self.pitch(tile.id),
        };
        let at = Scalar::Var(index) * step.clone();
        let mut inner = vec![
            Stmt { kind: StmtKind::LetScalar { var: tile.start, value: first + at.clone() }, span },
            Stmt { kind: StmtKind::LetScalar { var: tile.len, value: step.clone().min(length.clone() - at) }, span },
        ];
        self.block(&tile.body, &mut inner)?;
        let kind = StmtKind::For { var: index, from: Scalar::Int(0), to: length.ceil_div(step), body: inner };
        out.push(Stmt { kind, span });
        Ok(())
    }

    /// Expands column values that the loop uses but does not change once, before it.
    pub(super) fn expand_before(&mut self, tile: &TileLoop, span: SpanId, out: &mut Vec<Stmt>) -> Made<()> {
        if tile.kind != LoopKind::Cols {
            return Ok(());
        }
        let mut changed = BTreeSet::new();
        let mut wanted = Vec::new();
        crate::ir::walk_stmts(&tile.body, &mut |s| match &s.kind {
            StmtKind::Set { value, .. } => {
                changed.insert(*value);
            }
            StmtKind::Def { value, expr } if self.shape(*value).cols.is_some() => wanted.extend(operands(expr)),
            _ => {}
        });
        for v in wanted {
            let shape = self.shape(v);
            if shape.rows.is_some() && shape.cols.is_none() && self.homes.contains_key(&v) && !changed.contains(&v) {
                self.blocks_of(v, span, out)?;
            }
        }
        Ok(())
    }
}
