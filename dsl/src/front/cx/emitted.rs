//! The statements and declarations so far, and the loops around the next one.
//!
//! Names of IR nodes are unique in the body. A value without a name of the author's gets one from
//! its op at the end, so the author's names come out unchanged.

use super::block::Block;
use super::kinds::CoreRange;
use super::value::{Num, RunId, Val};
use crate::ir::linear::Definitions;
use crate::ir::{
    queue, tile, AxId, Axes, InlinedCall, LoopId, ParamId, QueueStmt, Scalar, ScalarTy, SpanId,
    Stage, StmtKind, TensorDecl, TensorId, TileExpr, TileStmt, Ty, ValueDecl, ValueId, VarDecl,
    VarId,
};
use std::collections::{BTreeMap, HashMap};

/// A loop or an `if` around the statement being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// A scalar `for` or an `if`.
    Inner,
    /// A tile loop; `None` where its header was wrong.
    Tile(Option<LoopId>),
}

/// The part of one axis that an iteration of a tile loop has.
pub struct RunInfo {
    pub name: String,
    pub by: LoopId,
    /// True where an iteration has one index of it, a scalar.
    pub is_each: bool,
    /// The tensor whose elements it goes through, shapes ignored.
    pub over: Option<ParamId>,
    pub start: VarId,
    pub len: VarId,
    /// The axis of its run, and the whole axis.
    pub ax: AxId,
    pub of: AxId,
}

/// The body of the kernel as far as it was emitted.
#[derive(Default)]
pub struct Emitted {
    /// Declarations of both dialects, without statements.
    pub body: tile::Body,
    /// The statements of the block being read.
    pub stmts: Block,
    /// Names of nodes, with the number of names made from each.
    taken: HashMap<String, u32>,
    /// The stage at which each variable is known.
    pub stages: Vec<Stage>,
    /// Scalars that the host computes under names.
    pub definitions: Definitions,
    /// Variables of scalar loops.
    pub loop_vars: Vec<VarId>,
    /// Loops and `if`s around the next statement, outermost first.
    pub frames: Vec<Frame>,
    /// Number of tile loops so far.
    pub loop_count: u32,
    /// Runs of the tile loops so far.
    pub runs: Vec<RunInfo>,
    /// Loops of one iteration, for stores outside of all loops.
    pub once: Vec<LoopId>,
    /// Whole axes without a name: entries of a tensor's shape.
    pub unnamed: Vec<(ParamId, usize, AxId)>,
    /// First index of each whole axis that is a range.
    pub firsts: BTreeMap<AxId, Scalar>,
    /// Ranges with an end that only the core knows.
    pub core_ranges: Vec<CoreRange>,
    /// The tensors that tiles were loaded from.
    pub loaded: BTreeMap<ValueId, ParamId>,
    /// Calls that became several statements, in order.
    pub calls: Vec<InlinedCall>,
}

impl Emitted {
    /// Finds a run by its id.
    pub fn run(&self, RunId(at): RunId) -> &RunInfo {
        &self.runs[at]
    }

    /// Returns the first index of a run as the author counts: from the start of the range in a loop
    /// over one.
    pub fn run_start(&self, run: RunId) -> Scalar {
        let RunInfo { start, of, .. } = *self.run(run);
        self.first_index(of) + start
    }

    /// Returns the runs of a loop, outermost first.
    pub fn runs_of(&self, of: LoopId) -> impl Iterator<Item = &RunInfo> {
        self.runs.iter().filter(move |run| run.by == of)
    }

    /// Finds the outermost tile loop around: `None` inside of it where its header was wrong.
    pub fn phase(&self) -> Option<Option<LoopId>> {
        self.frames.iter().find_map(|frame| match frame {
            Frame::Tile(of) => Some(*of),
            Frame::Inner => None,
        })
    }

    /// Returns the runs of the outermost loop around, which is divided among the cores.
    pub fn divided(&self) -> impl Iterator<Item = &RunInfo> {
        let outer = self.phase().flatten();
        self.runs.iter().filter(move |run| Some(run.by) == outer)
    }

    /// Adds a statement of the tile dialect.
    pub fn tile(&mut self, own: TileStmt, span: SpanId) {
        self.stmts.tile.push(tile::Stmt {
            kind: StmtKind::Do(own),
            span,
        });
    }

    /// Adds a statement of the queue dialect.
    pub fn queue(&mut self, own: QueueStmt, span: SpanId) {
        self.stmts.queue.push(queue::Stmt {
            kind: StmtKind::Do(own),
            span,
        });
    }

    /// Makes a name that no other node of the body has.
    pub fn unique(&mut self, base: &str) -> String {
        let base = base.strip_prefix("r#").unwrap_or(base);
        if !self.taken.contains_key(base) {
            self.taken.insert(base.to_string(), 0);
            return base.to_string();
        }
        loop {
            let n = self.taken.get_mut(base).map_or(0, |n| {
                *n += 1;
                *n
            });
            let name = format!("{base}_{n}");
            if !self.taken.contains_key(&name) {
                self.taken.insert(name.clone(), 0);
                return name;
            }
        }
    }

    /// Declares a scalar variable; an empty name is chosen at the end.
    pub fn new_var(&mut self, name: &str, ty: ScalarTy, mutable: bool, stage: Stage) -> VarId {
        let name = if name.is_empty() {
            String::new()
        } else {
            self.unique(name)
        };
        self.stages.push(stage);
        self.body.add_var(VarDecl { name, ty, mutable })
    }

    /// Names a scalar: `let name = value`.
    pub fn let_scalar(&mut self, name: &str, num: &Num, mutable: bool, span: SpanId) -> VarId {
        let stage = if mutable {
            Stage::Block
        } else {
            self.stage(&num.value)
        };
        let var = self.new_var(name, num.ty.unwrap_or(ScalarTy::Index), mutable, stage);
        if stage <= Stage::Host {
            self.definitions.define(var, &num.value);
        }
        self.stmts.assign(var, &num.value, true, span);
        var
    }

    /// Makes a scalar a leaf that no later assignment changes, and that is cheap to copy.
    pub fn pinned(&mut self, name: &str, num: Num, span: SpanId) -> Num {
        let leaf = match num.value {
            Scalar::Bin(..) | Scalar::Un(..) | Scalar::Select(..) | Scalar::Cast(..) => false,
            Scalar::Var(v) => !self.body.var(v).mutable,
            _ => true,
        };
        if leaf {
            return num;
        }
        let var = self.let_scalar(name, &num, false, span);
        Num {
            value: Scalar::Var(var),
            ..num
        }
    }

    /// Defines a tile value without a name by `expr`.
    pub fn def(&mut self, expr: TileExpr, dtype: Ty, axes: Axes, span: SpanId) -> Val {
        Val::Tile(self.define(expr, dtype, axes, span))
    }

    /// Defines a tile value without a name and returns its id.
    pub fn define(&mut self, expr: TileExpr, dtype: Ty, axes: Axes, span: SpanId) -> ValueId {
        let value = self.body.add_value(ValueDecl {
            name: String::new(),
            dtype,
            axes,
            mutable: false,
        });
        self.tile(TileStmt::Def { value, expr }, span);
        value
    }

    /// Declares a local tensor without a name.
    pub fn new_tensor(&mut self, dtype: Ty) -> TensorId {
        self.body.tensors.push(TensorDecl {
            name: String::new(),
            dtype,
        });
        TensorId(self.body.tensors.len() as u32 - 1)
    }

    /// Returns the stage at which a scalar is known.
    pub fn stage(&self, value: &Scalar) -> Stage {
        let mut stage = Stage::Const;
        value.walk(&mut |s| {
            stage = stage.max(match s {
                Scalar::Axis(_) | Scalar::Attr(..) | Scalar::Chip(_) | Scalar::SizeOf(_) => {
                    Stage::Host
                }
                Scalar::Var(v) => self.stages.get(v.index()).copied().unwrap_or(Stage::Block),
                Scalar::BlockIdx | Scalar::BlockDim => Stage::Block,
                _ => Stage::Const,
            });
        });
        stage
    }

    pub fn dtype(&self, value: ValueId) -> Ty {
        self.body.values[value.index()].dtype
    }

    pub fn axes(&self, value: ValueId) -> &Axes {
        &self.body.values[value.index()].axes
    }
}
