//! Checks statements of both dialects, each at its level.

use super::scalars::Leaves;
use super::scope::Scope;
use super::tables::Tables;
use super::{Checked, Cx, Spot};
use crate::ir::{
    AxSpec, Body, Dialect, LoopId, ParamId, Promised, Scalar, ScalarTy, Stmt, StmtKind, TensorId,
    TileLoop, VarId,
};

/// Most statements inside one another: a walk over them recurs once a level.
const MAX_NESTING: usize = 200;

/// The contents of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Tiles, before lowering.
    Tile,
    /// Queues, before lowering.
    Queue,
    /// Queues, as a core runs them.
    Device,
    /// A function of a core: only vector calls.
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

/// The rules of a dialect's own statements.
pub(super) trait Own: Dialect {
    /// Checks a statement.
    fn hold(&self, cx: &mut Cx<'_>, walk: &mut Walk<'_, Self>) -> Checked;
    /// Returns the tile loop that it is.
    fn tile_loop(&self) -> Option<&TileLoop>;
    /// Returns the caller's tensors that must be given here.
    fn touched(&self) -> Vec<ParamId>;
}

/// The walk over the statements of a body.
pub(super) struct Walk<'w, L> {
    pub body: &'w Body<L>,
    pub tables: Tables<'w>,
    pub mode: Mode,
    pub scope: Scope,
    /// Blocks of statements around this one; `None` for those that are not the body of a tile loop.
    pub frames: Vec<Option<LoopId>>,
    /// The outermost tile loop, once it was seen.
    pub outer: Option<LoopId>,
    /// The outermost tile loop if every block runs all of it: the loop inside of it is divided.
    pub of_parts: Option<LoopId>,
    /// The axes of the divided loop.
    pub divided: Vec<AxSpec>,
    pub fit_tile: bool,
}

impl<L> Walk<'_, L> {
    /// Returns the outermost tile loop around the statement.
    pub(super) fn phase(&self) -> Option<LoopId> {
        self.frames.iter().flatten().next().copied()
    }
}

impl Cx<'_> {
    /// Checks the statements of a body, with variables and tensors that are set before it.
    pub(super) fn statements<'b, L: Own>(
        &mut self,
        body: &'b Body<L>,
        tables: Tables<'b>,
        mode: Mode,
        (fields, given): (&[VarId], &[TensorId]),
    ) -> Checked {
        let (scope, frames) = (Scope::new(body), Vec::new());
        let mut walk = Walk {
            body,
            tables,
            mode,
            scope,
            frames,
            outer: None,
            of_parts: None,
            divided: Vec::new(),
            fit_tile: false,
        };
        for var in fields {
            self.sets(&mut walk.scope, body, *var)?;
        }
        for tensor in given {
            self.makes(&mut walk.scope, body, *tensor)?;
        }
        self.block(&mut walk, &body.stmts)?;
        self.at = Spot { of: "Body", nth: 1 };
        self.span = None;
        self.holds(mode != Mode::Tile || walk.outer.is_some(), || {
            "no tile loop; a tile kernel has one".to_string()
        })?;
        self.sizes(&walk)
    }

    /// Checks the sizes of queues and buffers: host-known before lowering, tiling data after it.
    fn sizes<L: Own>(&mut self, walk: &Walk<'_, L>) -> Checked {
        let (body, device) = (walk.body, matches!(walk.mode, Mode::Device | Mode::Func));
        let queues = body
            .queues
            .iter()
            .enumerate()
            .flat_map(|(i, q)| [("QueueDecl", i, &q.buffer_num), ("QueueDecl", i, &q.bytes)]);
        let bufs = body
            .bufs
            .iter()
            .enumerate()
            .map(|(i, b)| ("BufDecl", i, &b.bytes));
        for (of, i, size) in queues.chain(bufs) {
            self.at = Spot { of, nth: i + 1 };
            if device {
                self.reads(&walk.scope, body, size)?;
            } else {
                self.host_known(walk, size, "a size of a queue or buffer")?;
            }
        }
        for (i, w) in body.works.iter().enumerate() {
            self.at = Spot {
                of: "WorkDecl",
                nth: i + 1,
            };
            if device {
                self.field(walk, &w.at)?;
            } else {
                // The host decides the number of blocks.
                let blocks = |s: &Scalar| (*s == Scalar::BlockDim).then_some(Scalar::Int(1));
                self.host_known(walk, &w.len.replace(&blocks), "a size of a workspace")?;
            }
        }
        Ok(())
    }

    /// Checks that a scalar of a lowered body reads only tiling data.
    fn field<L: Own>(&self, walk: &Walk<'_, L>, s: &Scalar) -> Checked {
        let mut blocks = false;
        s.walk(&mut |n| blocks |= matches!(n, Scalar::BlockIdx | Scalar::BlockDim));
        self.holds(!blocks, || {
            "the block, where only variables of the tiling data may stand".to_string()
        })?;
        self.reads(&walk.scope, walk.body, s)
    }

    /// Checks that the host can compute a scalar.
    pub(super) fn host_known<L: Own>(&self, walk: &Walk<'_, L>, s: &Scalar, what: &str) -> Checked {
        self.holds(walk.scope.host_knows(s), || {
            format!("{what} that only a core knows; the host must")
        })
    }

    pub(super) fn block<L: Own>(&mut self, walk: &mut Walk<'_, L>, stmts: &[Stmt<L>]) -> Checked {
        self.holds(walk.frames.len() <= MAX_NESTING, || {
            format!("more than {MAX_NESTING} statements inside one another")
        })?;
        let start = walk.scope.open();
        for s in stmts {
            self.enter_at("Stmt", s.span)?;
            self.statement(walk, s)?;
        }
        walk.scope.close(start);
        Ok(())
    }

    /// Checks a block inside of a statement, then restores the statement's place.
    pub(super) fn inner<L: Own>(
        &mut self,
        walk: &mut Walk<'_, L>,
        frame: Option<LoopId>,
        stmts: &[Stmt<L>],
    ) -> Checked {
        let (at, span) = (self.at, self.span);
        walk.frames.push(frame);
        self.block(walk, stmts)?;
        walk.frames.pop();
        (self.at, self.span) = (at, span);
        Ok(())
    }

    /// Checks a scalar of a statement: its type, its leaves, and that its variables are set.
    pub(super) fn operand<L: Own>(&self, walk: &Walk<'_, L>, s: &Scalar, due: ScalarTy) -> Checked {
        self.scalar(s, walk.mode.leaves(), Some(&walk.body.vars), due)?;
        self.reads(&walk.scope, walk.body, s)
    }

    /// Checks a scalar that the host must know, at the top of the body.
    pub(super) fn host_operand<L: Own>(
        &self,
        walk: &Walk<'_, L>,
        s: &Scalar,
        what: &str,
    ) -> Checked {
        self.operand(walk, s, ScalarTy::Index)?;
        self.host_known(walk, s, what)
    }

    /// Checks the declaration and the type of a variable.
    pub(super) fn target<L: Own>(
        &self,
        walk: &Walk<'_, L>,
        var: VarId,
        due: Option<ScalarTy>,
    ) -> Checked {
        let decl = self.var(var, &walk.body.vars)?;
        let good = due.is_none_or(|due| due == decl.ty);
        self.holds(good, || {
            format!(
                "`{}` is {}, {} is due",
                decl.name,
                decl.ty.word(),
                due.map_or("", ScalarTy::word)
            )
        })
    }

    /// Checks a variable that gets its value here and keeps it.
    pub(super) fn result<L: Own>(
        &self,
        walk: &mut Walk<'_, L>,
        var: VarId,
        due: Option<ScalarTy>,
    ) -> Checked {
        self.target(walk, var, due)?;
        let decl = walk.body.var(var);
        self.holds(!decl.mutable, || {
            format!(
                "`{}` is mutable; only `let` and `set_scalar` set such a variable",
                decl.name
            )
        })?;
        self.sets(&mut walk.scope, walk.body, var)
    }

    fn statement<L: Own>(&mut self, walk: &mut Walk<'_, L>, s: &Stmt<L>) -> Checked {
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
                self.holds(decl.mutable, || {
                    format!("`{}` is set again, but it is not mutable", decl.name)
                })?;
                self.is_set(&walk.scope, walk.body, *var)?;
                self.operand(walk, value, var.ty())
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                self.target(walk, *var, None)?;
                let whole = matches!(var.ty(), ScalarTy::Index | ScalarTy::I32);
                self.holds(whole, || {
                    format!(
                        "a loop that counts with {}; usize and i32 count",
                        var.ty().word()
                    )
                })?;
                let decl = walk.body.var(*var);
                self.holds(!decl.mutable, || {
                    format!("a loop that counts with `{}`, which is mutable", decl.name)
                })?;
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
            StmtKind::Promise {
                what: Promised::Index { value, below, of },
            } => {
                self.holds(walk.mode == Mode::Device, || {
                    "a promise where it stands at its tensor; only the lowering moves it"
                        .to_string()
                })?;
                self.operand(walk, value, ScalarTy::Index)?;
                self.operand(walk, below, ScalarTy::Index)?;
                of.map_or(Ok(()), |of| self.promised(of))
            }
            StmtKind::Promise {
                what: Promised::Fact { cond, .. },
            } => {
                let known = matches!(walk.mode, Mode::Tile | Mode::Device);
                self.holds(known, || {
                    "what is assumed stands in a tile kernel".to_string()
                })?;
                self.operand(walk, cond, ScalarTy::Bool)
            }
            StmtKind::Do(own) => own.hold(self, walk),
        }
    }
}
