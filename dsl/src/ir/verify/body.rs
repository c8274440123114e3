//! Statements of both dialects, each at its level.

use super::scalars::Leaves;
use super::scope::Scope;
use super::tables::Tables;
use super::{Checked, Cx, Spot};
use crate::ir::{AxSpec, Body, BufId, LoopId, Promised, QueueId, Scalar, ScalarTy, Stmt, StmtKind, SyncOp, TensorId, VarId};
use crate::ops::contract::Pipe;
use crate::soc::Space;

/// Most statements inside one another: what walks them calls itself once a level.
const MAX_NESTING: usize = 200;

/// What a body is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Tiles, before lowering.
    Tile,
    /// Queues, before lowering.
    Queue,
    /// Queues, as a core runs them.
    Device,
    /// A function of a core: vector calls alone.
    Func,
}

impl Mode {
    pub const fn leaves(self) -> Leaves {
        match self {
            Mode::Tile | Mode::Queue => Leaves::Any,
            Mode::Device | Mode::Func => Leaves::Device,
        }
    }
}

/// The walk over the statements of a body.
pub(super) struct Walk<'w> {
    pub body: &'w Body,
    pub tables: Tables<'w>,
    pub mode: Mode,
    pub scope: Scope,
    /// Blocks of statements around this one; `None` for those that are not the body of a tile loop.
    pub frames: Vec<Option<LoopId>>,
    /// The outermost tile loop, once it was met.
    pub outer: Option<LoopId>,
    /// What that one runs over, which is divided among the cores.
    pub divided: Vec<AxSpec>,
    fit_tile: bool,
}

impl Walk<'_> {
    /// The outermost tile loop around.
    pub(super) fn phase(&self) -> Option<LoopId> {
        self.frames.iter().flatten().next().copied()
    }
}

impl Cx<'_> {
    /// Holds the statements of a body to their rules, where variables are set and tensors made before it.
    pub(super) fn statements<'b>(
        &mut self,
        body: &'b Body,
        tables: Tables<'b>,
        mode: Mode,
        (fields, given): (&[VarId], &[TensorId]),
    ) -> Checked {
        let (scope, frames) = (Scope::new(body), Vec::new());
        let mut walk = Walk { body, tables, mode, scope, frames, outer: None, divided: Vec::new(), fit_tile: false };
        for var in fields {
            self.sets(&mut walk.scope, body, *var)?;
        }
        for tensor in given {
            self.makes(&mut walk.scope, body, *tensor)?;
        }
        self.block(&mut walk, &body.stmts)?;
        self.at = Spot { of: "Body", nth: 1 };
        self.span = None;
        self.holds(mode != Mode::Tile || walk.outer.is_some(), || "no tile loop; a tile kernel has one".to_string())?;
        self.sizes(&walk)
    }

    /// Sizes of queues and buffers: before lowering the host knows them, after it they are tiling data.
    fn sizes(&mut self, walk: &Walk<'_>) -> Checked {
        let (body, device) = (walk.body, matches!(walk.mode, Mode::Device | Mode::Func));
        let queues =
            body.queues.iter().enumerate().flat_map(|(i, q)| [("QueueDecl", i, &q.buffer_num), ("QueueDecl", i, &q.bytes)]);
        let bufs = body.bufs.iter().enumerate().map(|(i, b)| ("BufDecl", i, &b.bytes));
        for (of, i, size) in queues.chain(bufs) {
            self.at = Spot { of, nth: i + 1 };
            if device {
                self.reads(&walk.scope, body, size)?;
            } else {
                self.host_known(walk, size, "a size of a queue or buffer")?;
            }
        }
        for (i, w) in body.works.iter().enumerate() {
            self.at = Spot { of: "WorkDecl", nth: i + 1 };
            if device {
                self.field(walk, &w.at)?;
            } else {
                // How many blocks there are, the host decides.
                let blocks = |s: &Scalar| (*s == Scalar::BlockDim).then_some(Scalar::Int(1));
                self.host_known(walk, &w.len.replace(&blocks), "a size of a workspace")?;
            }
        }
        Ok(())
    }

    /// Holds a scalar of a lowered body to what the tiling data say.
    fn field(&self, walk: &Walk<'_>, s: &Scalar) -> Checked {
        let mut blocks = false;
        s.walk(&mut |n| blocks |= matches!(n, Scalar::BlockIdx | Scalar::BlockDim));
        self.holds(!blocks, || "the block, where only variables of the tiling data may stand".to_string())?;
        self.reads(&walk.scope, walk.body, s)
    }

    /// Holds a scalar to what the host can compute.
    pub(super) fn host_known(&self, walk: &Walk<'_>, s: &Scalar, what: &str) -> Checked {
        self.holds(walk.scope.host_knows(s), || format!("{what} that only a core knows; the host must"))
    }

    pub(super) fn block(&mut self, walk: &mut Walk<'_>, stmts: &[Stmt]) -> Checked {
        self.holds(walk.frames.len() <= MAX_NESTING, || format!("more than {MAX_NESTING} statements inside one another"))?;
        let start = walk.scope.open();
        for s in stmts {
            self.enter_at("Stmt", s.span)?;
            self.statement(walk, s)?;
        }
        walk.scope.close(start);
        Ok(())
    }

    /// A block inside a statement, whose place is that of the statement again afterwards.
    pub(super) fn inner(&mut self, walk: &mut Walk<'_>, frame: Option<LoopId>, stmts: &[Stmt]) -> Checked {
        let (at, span) = (self.at, self.span);
        walk.frames.push(frame);
        self.block(walk, stmts)?;
        walk.frames.pop();
        (self.at, self.span) = (at, span);
        Ok(())
    }

    /// Holds a scalar of a statement to its type, its leaves, and to variables that are set.
    pub(super) fn operand(&self, walk: &Walk<'_>, s: &Scalar, due: ScalarTy) -> Checked {
        self.scalar(s, walk.mode.leaves(), Some(&walk.body.vars), due)?;
        self.reads(&walk.scope, walk.body, s)
    }

    /// A scalar that the host must know, at the top of the body.
    pub(super) fn host_operand(&self, walk: &Walk<'_>, s: &Scalar, what: &str) -> Checked {
        self.operand(walk, s, ScalarTy::Index)?;
        self.host_known(walk, s, what)
    }

    /// Holds a variable to its declaration and to a type.
    pub(super) fn target(&self, walk: &Walk<'_>, var: VarId, due: Option<ScalarTy>) -> Checked {
        let decl = self.var(var, &walk.body.vars)?;
        let good = due.is_none_or(|due| due == decl.ty);
        self.holds(good, || format!("`{}` is {}, {} is due", decl.name, decl.ty.word(), due.map_or("", ScalarTy::word)))
    }

    /// A variable that gets its content here and keeps it.
    pub(super) fn result(&self, walk: &mut Walk<'_>, var: VarId, due: Option<ScalarTy>) -> Checked {
        self.target(walk, var, due)?;
        let decl = walk.body.var(var);
        self.holds(!decl.mutable, || format!("`{}` is mutable; only `let` and `set_scalar` set such a variable", decl.name))?;
        self.sets(&mut walk.scope, walk.body, var)
    }

    fn statement(&mut self, walk: &mut Walk<'_>, s: &Stmt) -> Checked {
        match &s.kind {
            StmtKind::LetScalar { var, value } => {
                self.target(walk, *var, None)?;
                self.operand(walk, value, var.ty())?;
                let body = walk.body;
                if !body.var(*var).mutable && walk.scope.host_knows(value) {
                    walk.scope.note_known(*var);
                }
                self.sets(&mut walk.scope, body, *var)
            }
            StmtKind::SetScalar { var, value } => {
                self.target(walk, *var, None)?;
                let decl = walk.body.var(*var);
                self.holds(decl.mutable, || format!("`{}` is set again, but it is not mutable", decl.name))?;
                self.is_set(&walk.scope, walk.body, *var)?;
                self.operand(walk, value, var.ty())
            }
            StmtKind::For { var, from, to, body } => {
                self.target(walk, *var, None)?;
                let whole = matches!(var.ty(), ScalarTy::Index | ScalarTy::I32);
                self.holds(whole, || format!("a loop that counts with {}; usize and i32 count", var.ty().word()))?;
                let decl = walk.body.var(*var);
                self.holds(!decl.mutable, || format!("a loop that counts with `{}`, which is mutable", decl.name))?;
                self.operand(walk, from, var.ty())?;
                self.operand(walk, to, var.ty())?;
                let start = walk.scope.open();
                self.counts(&mut walk.scope, walk.body, *var)?;
                self.inner(walk, None, body)?;
                walk.scope.close(start);
                Ok(())
            }
            StmtKind::If { cond, then, other } => {
                self.operand(walk, cond, ScalarTy::Bool)?;
                self.inner(walk, None, then)?;
                self.inner(walk, None, other)
            }
            StmtKind::Loop { .. }
            | StmtKind::Def { .. }
            | StmtKind::Set { .. }
            | StmtKind::Store { .. }
            | StmtKind::Dump { .. }
            | StmtKind::Append { .. }
            | StmtKind::Read { .. } => {
                self.holds(walk.mode == Mode::Tile, || "a tile among queues".to_string())?;
                self.tile_statement(walk, s)
            }
            StmtKind::Split { .. } | StmtKind::FitTile { .. } => {
                self.holds(walk.mode == Mode::Queue, || {
                    "a step of the host's plan; such stand in queue kernels, before lowering".to_string()
                })?;
                self.holds(walk.frames.is_empty(), || "a step of the host's plan inside a loop or a branch".to_string())?;
                self.plan(walk, s)
            }
            StmtKind::Alloc { .. }
            | StmtKind::Enque { .. }
            | StmtKind::Deque { .. }
            | StmtKind::Free { .. }
            | StmtKind::Get { .. }
            | StmtKind::View { .. }
            | StmtKind::Place { .. } => {
                self.holds(walk.mode != Mode::Tile, || "a queue among tiles".to_string())?;
                self.holds(walk.mode != Mode::Func, || "a queue or buffer in a function; it is given its tensors".to_string())?;
                self.queue_statement(walk, s)
            }
            StmtKind::Instr { instr } => {
                self.holds(walk.mode != Mode::Tile, || "a queue among tiles".to_string())?;
                let contract = instr.op.contract();
                let plain = contract.pipe == Pipe::V && contract.holds.is_none() && contract.begins.is_none();
                self.holds(plain || walk.mode != Mode::Func, || {
                    format!("`{}` in a function, which makes vector calls alone", instr.op.name())
                })?;
                self.queue_statement(walk, s)
            }
            StmtKind::Sync { what } => {
                self.holds(walk.mode != Mode::Tile, || "an order of pipes among tiles".to_string())?;
                self.holds(walk.mode != Mode::Func, || {
                    "an order of pipes in a function, which makes vector calls alone".to_string()
                })?;
                match what {
                    SyncOp::Set { id, .. } | SyncOp::Wait { id, .. } | SyncOp::CrossSet { id, .. } | SyncOp::CrossWait { id } => {
                        self.operand(walk, id, ScalarTy::Index)
                    }
                    SyncOp::Barrier { .. } => Ok(()),
                }
            }
            StmtKind::SyncAll {} => {
                self.holds(walk.mode != Mode::Tile, || "a meeting of blocks among tiles".to_string())?;
                self.holds(walk.mode != Mode::Func, || {
                    "a meeting of blocks in a function, which makes vector calls alone".to_string()
                })
            }
            StmtKind::Promise { what: Promised::Index { value, below, of } } => {
                self.holds(walk.mode == Mode::Device, || {
                    "a promise where it stands at its tensor; only the lowering moves it".to_string()
                })?;
                self.operand(walk, value, ScalarTy::Index)?;
                self.operand(walk, below, ScalarTy::Index)?;
                of.map_or(Ok(()), |of| self.promised(of))
            }
            StmtKind::Promise { what: Promised::Fact { cond, .. } } => {
                let known = matches!(walk.mode, Mode::Tile | Mode::Device);
                self.holds(known, || "what is assumed stands in a tile kernel".to_string())?;
                self.operand(walk, cond, ScalarTy::Bool)
            }
            StmtKind::Reset { memory } => {
                self.holds(walk.mode == Mode::Device, || "memory handed out anew; only the lowering does".to_string())?;
                memory.iter().try_for_each(|m| self.memory_id(walk.body, *m))
            }
            StmtKind::Call { func, tensors, scalars } => self.call(walk, *func, tensors, scalars),
        }
    }

    fn plan(&mut self, walk: &mut Walk<'_>, s: &Stmt) -> Checked {
        match &s.kind {
            StmtKind::Split { start, len, total, unit, block_dim } => {
                self.host_operand(walk, total, "a total")?;
                self.host_operand(walk, unit, "a unit")?;
                block_dim.iter().try_for_each(|n| self.host_operand(walk, n, "a block dim"))?;
                self.result(walk, *start, Some(ScalarTy::Index))?;
                self.result(walk, *len, Some(ScalarTy::Index))
            }
            StmtKind::FitTile { var, unit } => {
                self.host_operand(walk, unit, "a unit")?;
                self.holds(!std::mem::replace(&mut walk.fit_tile, true), || {
                    "a second `fit_tile`; one size is solved for".to_string()
                })?;
                self.result(walk, *var, Some(ScalarTy::Index))?;
                walk.scope.note_known(*var);
                Ok(())
            }
            _ => self.fault("this is no step of the host's plan"),
        }
    }

    fn queue_statement(&mut self, walk: &mut Walk<'_>, s: &Stmt) -> Checked {
        let body = walk.body;
        match &s.kind {
            StmtKind::Alloc { tensor, queue } | StmtKind::Deque { tensor, queue } => {
                self.queue(body, *queue)?;
                self.makes(&mut walk.scope, body, *tensor)
            }
            StmtKind::Enque { tensor, queue } | StmtKind::Free { tensor, queue } => {
                self.queue(body, *queue)?;
                self.touches(&walk.scope, body, *tensor)
            }
            StmtKind::Get { tensor, buf: BufId(buf) } => {
                self.declared(*buf as usize, body.bufs.len(), "buffer", || format!("b{buf}"))?;
                self.makes(&mut walk.scope, body, *tensor)
            }
            StmtKind::View { tensor, of } => {
                let plain = of.tensor().is_some() && matches!(of.layout, crate::ir::Layout::Dense {});
                self.holds(plain, || "a name for part of a tensor that is not dense in UB".to_string())?;
                self.view(walk, of)?;
                self.makes(&mut walk.scope, body, *tensor)
            }
            StmtKind::Place { tensor, position, at, len } => {
                self.holds(position.space() == Space::Ub, || {
                    format!("a tensor placed at {}, which is not in UB", position.word())
                })?;
                self.operand(walk, at, ScalarTy::Index)?;
                self.operand(walk, len, ScalarTy::Index)?;
                self.makes(&mut walk.scope, body, *tensor)
            }
            StmtKind::Instr { instr } => self.instr(walk, instr),
            _ => self.fault("this is no statement of queues"),
        }
    }

    fn queue(&self, body: &Body, QueueId(id): QueueId) -> Checked {
        self.declared(id as usize, body.queues.len(), "queue", || format!("q{id}")).map(|_| ())
    }
}
