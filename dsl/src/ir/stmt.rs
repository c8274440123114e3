//! Statements of both dialects, and the body that they make.

use super::text::{text_enum, text_struct};
use super::*;
use crate::ops::contract::Pipe;
use std::collections::{BTreeMap, BTreeSet};

/// A scalar variable.
#[derive(Clone, Debug, PartialEq)]
pub struct VarDecl {
    /// Its name, unique in the body.
    pub name: String,
    /// Its type.
    pub ty: ScalarTy,
    /// True where [`StmtKind::SetScalar`] may change it.
    pub mutable: bool,
}
text_struct!(VarDecl "var" { name, ty, mutable } line true);

/// A statement with its place in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: SpanId,
}
text_struct!(Stmt "stmt" { span, kind } line true);

/// Statements of both dialects.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    // ---- shared ----
    /// `let v = expr;`
    LetScalar {
        /// The variable.
        var: VarId,
        /// Its value.
        value: Scalar,
    },
    /// `v = expr;` on a mutable variable.
    SetScalar {
        /// The variable.
        var: VarId,
        /// Its new value.
        value: Scalar,
    },
    /// `for v in from..to`.
    For {
        /// Loop variable.
        var: VarId,
        /// First value.
        from: Scalar,
        /// One past the last value.
        to: Scalar,
        /// Statements of one turn.
        body: Vec<Stmt>,
    },
    /// `if cond { .. } else { .. }`.
    If {
        /// Condition.
        cond: Scalar,
        /// Taken where it holds.
        then: Vec<Stmt>,
        /// Taken where it does not.
        other: Vec<Stmt>,
    },

    // ---- tile dialect ----
    /// A tile loop.
    Loop {
        /// The loop.
        tile: TileLoop,
    },
    /// Defines a value.
    Def {
        /// The value.
        value: ValueId,
        /// What it is.
        expr: TileExpr,
    },
    /// Overwrites a mutable value.
    Set {
        /// The mutable value.
        value: ValueId,
        /// Its new content.
        from: ValueId,
    },
    /// Writes a value to GM.
    Store {
        /// Which part of which tensor.
        to: Access,
        /// What is written.
        value: ValueId,
        /// What becomes of what is there.
        how: StoreHow,
    },
    /// Packs the elements of a value whose bits are 1 behind those of all turns before, over all cores. What exceeds the tensor is counted
    /// and not written; what is not reached keeps what it held.
    Append {
        /// The tensor, by its first element: where others go only a run tells.
        to: Access,
        /// What is packed, along the tile of the outermost loop.
        value: ValueId,
        /// Its bits.
        mask: ValueId,
        /// How many elements each block packs, in what the lowering makes; of a kernel as written none.
        counts: Option<ValueId>,
    },

    /// The one element of a value without axes becomes a scalar.
    Read {
        /// Variable: the element.
        var: VarId,
        /// The value.
        value: ValueId,
    },

    /// Shows the elements of a value under a name, and changes nothing.
    Dump {
        /// The value.
        value: ValueId,
        /// The name.
        name: String,
    },

    // ---- queue level, before lowering ----
    /// `let s = split(total).unit(unit)`: this block's share.
    Split {
        /// Variable: first index of the share.
        start: VarId,
        /// Variable: its length.
        len: VarId,
        /// What is divided.
        total: Scalar,
        /// Shares are multiples of this, the last one excepted.
        unit: Scalar,
        /// `.block_dim(n)`.
        block_dim: Option<Scalar>,
    },
    /// `let n = fit_tile(unit)`: largest multiple of `unit` for which all buffers fit in UB.
    FitTile {
        /// Variable: the answer.
        var: VarId,
        /// Elements.
        unit: Scalar,
    },

    // ---- queue dialect ----
    /// `tensor = queue.AllocTensor<T>()`.
    Alloc {
        /// The new tensor.
        tensor: TensorId,
        /// From which queue.
        queue: QueueId,
    },
    /// `queue.EnQue(tensor)`.
    Enque {
        /// The tensor.
        tensor: TensorId,
        /// To which queue.
        queue: QueueId,
    },
    /// `tensor = queue.DeQue<T>()`.
    Deque {
        /// The new tensor.
        tensor: TensorId,
        /// From which queue.
        queue: QueueId,
    },
    /// `queue.FreeTensor(tensor)`.
    Free {
        /// The tensor.
        tensor: TensorId,
        /// To which queue.
        queue: QueueId,
    },
    /// `tensor = buf.Get<T>()`.
    Get {
        /// The new tensor.
        tensor: TensorId,
        /// From which buffer.
        buf: BufId,
    },
    /// `tensor = of[offset].ReinterpretCast<T>()`; the offset is in elements of the base.
    View {
        /// The new tensor.
        tensor: TensorId,
        /// What it looks at; dense.
        of: View,
    },
    /// `LocalTensor<T> tensor(position, at, len)`: the author says where it lies in UB.
    Place {
        /// The new tensor.
        tensor: TensorId,
        /// The position that its text names.
        position: TPosition,
        /// Its first byte.
        at: Scalar,
        /// Its elements.
        len: Scalar,
    },
    /// An order of pipes that the author writes by hand.
    Sync {
        /// Which.
        what: SyncOp,
    },
    /// An instruction of one of the pipes.
    Instr {
        /// Which.
        instr: Instr,
    },
    /// Every block of the launch waits here until all have come. What copies of any block have stored to GM before, copies of every
    /// block load afterwards; of the block itself all that it began before has ended.
    SyncAll {},
    /// What the author promises of numbers that only a run knows. Proofs rely on it, and whoever runs the kernel holds them to it.
    Promise {
        /// What is promised.
        what: Promised,
    },
    /// TPipe takes back all memory and hands it out anew, once all that the block began has ended; at the top of what is lowered only.
    Reset {
        /// Queues and buffers, in the order in which they get memory.
        memory: Vec<Memory>,
    },
    /// A device function is called; in what is lowered only.
    Call {
        /// Which.
        func: FuncId,
        /// Its tensors.
        tensors: Vec<View>,
        /// Its scalars.
        scalars: Vec<Scalar>,
    },
}
text_enum!(StmtKind {
    LetScalar = "let" { var, value },
    SetScalar = "set_scalar" { var, value },
    For = "for" { var, from, to, body },
    If = "if" { cond, then, other },
    Loop = "tile_loop" { tile },
    Def = "def" { value, expr },
    Set = "set" { value, from },
    Store = "store" { to, value, how },
    Append = "append" { to, value, mask, counts },
    Read = "read" { var, value },
    Dump = "dump" { value, name },
    Split = "split" { start, len, total, unit, block_dim },
    FitTile = "fit_tile" { var, unit },
    Alloc = "alloc" { tensor, queue },
    Enque = "enque" { tensor, queue },
    Deque = "deque" { tensor, queue },
    Free = "free" { tensor, queue },
    Get = "get" { tensor, buf },
    View = "view" { tensor, of },
    Place = "place" { tensor, position, at, len },
    Sync = "sync" { what },
    Instr = "do" { instr },
    SyncAll = "sync_all" {},
    Promise = "promise" { what },
    Reset = "reset" { memory },
    Call = "call" { func, tensors, scalars },
});

/// What an author promises.
#[derive(Clone, Debug, PartialEq)]
pub enum Promised {
    /// `assume(cond)`.
    Fact {
        /// What holds.
        cond: Scalar,
        /// The condition as the author wrote it.
        text: String,
    },
    /// A number that was read is an index below another, as the `#[index(..)]` of its tensor says, or as was proved; in what is lowered only.
    Index {
        /// The number.
        value: Scalar,
        /// What it is less than; it is not negative either.
        below: Scalar,
        /// The tensor; none of what was computed.
        of: Option<ParamId>,
    },
}
text_enum!(Promised { Fact = "fact" { cond, text }, Index = "index_of" { value, below, of } });

/// Declarations and statements.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Body {
    /// Scalar variables.
    pub vars: Vec<VarDecl>,
    /// Axes of tiles.
    pub axes: Vec<AxDecl>,
    /// Tile values.
    pub values: Vec<ValueDecl>,
    /// Local tensors.
    pub tensors: Vec<TensorDecl>,
    /// Queues.
    pub queues: Vec<QueueDecl>,
    /// Buffers.
    pub bufs: Vec<BufDecl>,
    /// Workspaces.
    pub works: Vec<WorkDecl>,
    /// Statements in order.
    pub stmts: Vec<Stmt>,
}
text_struct!(Body "body" { vars, axes, values, tensors, queues, bufs, works, stmts });

impl Body {
    /// A scalar variable.
    pub fn var(&self, id: VarId) -> &VarDecl {
        &self.vars[id.index()]
    }
    /// Every scalar variable, in order.
    pub fn var_ids(&self) -> impl Iterator<Item = VarId> + '_ {
        self.vars.iter().enumerate().map(|(i, v)| VarId::new(i, v.ty))
    }
    /// Declares a variable.
    pub fn add_var(&mut self, decl: VarDecl) -> VarId {
        let id = VarId::new(self.vars.len(), decl.ty);
        self.vars.push(decl);
        id
    }
    /// The first number that no loop has: each has an axis of its own.
    pub fn next_loop(&self) -> LoopId {
        let runs = self.axes.iter().filter_map(|ax| match ax.from {
            AxFrom::Run { of } => Some(of.0 + 1),
            AxFrom::Whole { .. } | AxFrom::Hull { .. } => None,
        });
        LoopId(runs.max().unwrap_or(0))
    }
    /// A workspace.
    pub fn work(&self, id: WorkId) -> &WorkDecl {
        &self.works[id.index()]
    }
    /// Name of a tensor in GM.
    pub fn gm_name<'a>(&'a self, sig: &'a Signature, of: TensorRef) -> &'a str {
        match of {
            TensorRef::Param(id) => &sig.param(id).name,
            TensorRef::Work(id) => &self.work(id).name,
        }
    }
    /// Element type of a tensor in GM.
    ///
    /// # Panics
    /// Where it is an attribute.
    pub fn gm_ty(&self, sig: &Signature, of: TensorRef) -> Ty {
        match of {
            TensorRef::Param(id) => sig.dtype(id).expect("a verified view looks at a tensor"),
            TensorRef::Work(id) => self.work(id).dtype,
        }
    }
    /// True where the author orders pipes by hand, or places tensors where no queue and no buffer is.
    pub fn orders_by_hand(&self) -> bool {
        let mut found = false;
        self.walk(&mut |s| found |= matches!(s.kind, StmtKind::Sync { .. } | StmtKind::Place { .. }));
        found
    }
    /// True where the scalar unit reads or writes elements of GM that the kernel writes.
    pub fn caches_gm(&self) -> bool {
        let (mut scalars, mut stored) = (BTreeSet::new(), BTreeSet::new());
        self.walk(&mut |s| {
            let StmtKind::Instr { instr } = &s.kind else { return };
            for (rule, view) in instr.views() {
                let of = view.global();
                stored.extend(of.filter(|_| rule.access.stores()));
                scalars.extend(of.filter(|_| instr.op.contract().pipe == Pipe::S));
            }
        });
        !scalars.is_disjoint(&stored)
    }
    /// True where blocks wait for one another, in a meeting or for a flag across the cores.
    pub fn meets(&self) -> bool {
        let mut found = self.has_flags_across();
        self.walk(&mut |s| found |= matches!(s.kind, StmtKind::SyncAll {}));
        found
    }
    /// True where the author sets or waits for flags across the cores.
    pub fn has_flags_across(&self) -> bool {
        let mut found = false;
        self.walk(&mut |s| {
            found |= matches!(s.kind, StmtKind::Sync { what: SyncOp::CrossSet { .. } | SyncOp::CrossWait { .. } });
        });
        found
    }
    /// Of each event that the author orders by, how many ids it has at most.
    pub fn event_ids(&self) -> BTreeMap<Event, i64> {
        let mut found = BTreeMap::new();
        self.walk(&mut |s| {
            let StmtKind::Sync { what: SyncOp::Set { event, id } | SyncOp::Wait { event, id } } = &s.kind else { return };
            let ids = match id {
                Scalar::Bin(BinOp::Rem, _, by) => by.as_int(),
                id => id.as_int().map(|id| id.saturating_add(1)),
            };
            let most = found.entry(*event).or_insert(1);
            *most = ids.unwrap_or(EVENT_IDS).clamp(*most, EVENT_IDS);
        });
        found
    }
    /// What TPipe hands out anew, in order.
    pub fn resets(&self) -> Vec<&[Memory]> {
        let mut found = Vec::new();
        self.walk(&mut |s| {
            if let StmtKind::Reset { memory } = &s.kind {
                found.push(&memory[..]);
            }
        });
        found
    }
    /// The outermost tile loops, those under scalar control among them.
    pub fn outer_loops(&self) -> Vec<&TileLoop> {
        outer_loops(&self.stmts)
    }
    /// Calls `f` on every statement, outer before inner, in order.
    pub fn walk<'a>(&'a self, f: &mut impl FnMut(&'a Stmt)) {
        walk_stmts(&self.stmts, f);
    }
}
