//! The queue dialect: queues, buffers, local tensors and the instructions on them, as AscendC has
//! them.
//!
//! Start reading at [`QueueStmt`].

use super::text::{text_enum, text_word};
use super::{
    stmt, BinOp, BufId, Event, FuncId, Instr, Memory, ParamId, QueueId, Scalar, SpanId, StmtKind,
    SyncOp, TPosition, TensorId, VarId, View, EVENT_IDS,
};
use crate::ops::contract::Pipe;
use crate::ops::{CopyOp, Op};
use std::collections::{BTreeMap, BTreeSet};

/// A statement of the queue dialect.
pub type Stmt = stmt::Stmt<QueueStmt>;
/// A body of the queue dialect: no axes and values.
pub type Body = stmt::Body<QueueStmt>;

/// A question of the author to the host.
#[derive(Clone, Debug, PartialEq)]
pub enum HostCall {
    /// `let s = split(total).unit(unit)`: this block's share.
    Split {
        /// Variable: first index of the share.
        start: VarId,
        /// Variable: its length.
        len: VarId,
        /// Number of indices that are divided.
        total: Scalar,
        /// Shares are multiples of this, except the last one.
        unit: Scalar,
        block_dim: Option<Scalar>,
    },
    /// `let n = fit_tile(unit)`: largest multiple of `unit` for which all buffers fit in UB.
    FitTile {
        /// Variable with the answer.
        var: VarId,
        unit: Scalar,
    },
}
text_enum!(HostCall { Split = "split" { start, len, total, unit, block_dim }, FitTile = "fit_tile" { var, unit } });

/// An operation of a TQue on a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueOp {
    /// AllocTensor: a new tensor to be filled.
    Alloc,
    /// EnQue: the tensor is handed on.
    Enque,
    /// DeQue: the next tensor that was handed on.
    Deque,
    /// FreeTensor: the tensor's memory may be filled again.
    Free,
}
impl QueueOp {
    /// Makes the statement of this operation.
    pub const fn of(self, tensor: TensorId, queue: QueueId, span: SpanId) -> Stmt {
        Stmt {
            kind: StmtKind::Do(QueueStmt::Queue {
                op: self,
                tensor,
                queue,
            }),
            span,
        }
    }
}
text_word!(QueueOp { Alloc = "alloc", Enque = "enque", Deque = "deque", Free = "free" });

/// A statement of the queue dialect besides control.
#[derive(Clone, Debug, PartialEq)]
pub enum QueueStmt {
    /// A number that the host computes before the launch; lowered kernels have none.
    Host { call: HostCall },
    /// An operation of a queue on a tensor.
    Queue {
        op: QueueOp,
        /// The tensor, a new one for AllocTensor and DeQue.
        tensor: TensorId,
        queue: QueueId,
    },
    /// The statement `tensor = buf.Get<T>()`.
    Get { tensor: TensorId, buf: BufId },
    /// `tensor = of[offset].ReinterpretCast<T>()`; the offset is in elements of the base.
    View {
        tensor: TensorId,
        /// The dense view that becomes a tensor.
        of: View,
    },
    /// `LocalTensor<T> tensor(position, at, len)`: the author places it in UB.
    Place {
        tensor: TensorId,
        /// Position that the text names.
        position: TPosition,
        /// Address of the first byte.
        at: Scalar,
        /// Number of elements.
        len: Scalar,
    },
    /// An order of pipes, or of blocks.
    Sync { what: SyncOp },
    /// An instruction of one of the pipes.
    Instr { instr: Instr },
    /// TPipe takes back all memory and hands it out anew, once all earlier instructions of the
    /// block have ended. It stands only at the top level of lowered kernels.
    Reset {
        /// Queues and buffers, in the order in which they get memory.
        memory: Vec<Memory>,
    },
    /// A call of a device function; only lowered kernels have it.
    Call {
        func: FuncId,
        /// Tensor arguments of the call.
        tensors: Vec<View>,
        /// Scalar arguments of the call.
        scalars: Vec<Scalar>,
    },
}
text_enum!(QueueStmt {
    Host = "host" { call },
    Queue = "queue" { op, tensor, queue },
    Get = "get" { tensor, buf },
    View = "view" { tensor, of },
    Place = "place" { tensor, position, at, len },
    Sync = "sync" { what },
    Instr = "do" { instr },
    Reset = "reset" { memory },
    Call = "call" { func, tensors, scalars },
});

impl Stmt {
    /// Returns the instruction if the statement is one.
    pub fn instr(&self) -> Option<&Instr> {
        if let StmtKind::Do(QueueStmt::Instr { instr }) = &self.kind {
            Some(instr)
        } else {
            None
        }
    }
    /// True for a barrier of all blocks.
    pub fn is_meeting(&self) -> bool {
        matches!(
            self.kind,
            StmtKind::Do(QueueStmt::Sync {
                what: SyncOp::All {}
            })
        )
    }
    /// Returns the pipe that is waited for and the one that waits, of a wait that the lowering
    /// inserted.
    pub fn waits(&self) -> Option<(Pipe, Pipe)> {
        let StmtKind::Do(QueueStmt::Sync {
            what: SyncOp::Order { from, to },
        }) = &self.kind
        else {
            return None;
        };
        Some((*from, *to))
    }
}

impl Body {
    /// True where the author orders pipes by hand, or places tensors without a queue or buffer.
    pub fn orders_by_hand(&self) -> bool {
        let mut found = false;
        self.walk(&mut |s| {
            let is_own = matches!(
                s.kind,
                StmtKind::Do(QueueStmt::Sync { .. } | QueueStmt::Place { .. })
            );
            found |= is_own && s.waits().is_none() && !s.is_meeting();
        });
        found
    }
    /// True where the scalar unit reads or writes elements of GM that the kernel writes.
    pub fn caches_gm(&self) -> bool {
        let (mut scalars, mut stored) = (BTreeSet::new(), BTreeSet::new());
        self.walk(&mut |s| {
            let StmtKind::Do(QueueStmt::Instr { instr }) = &s.kind else {
                return;
            };
            for (rule, view) in instr.views() {
                let of = view.global();
                stored.extend(of.filter(|_| rule.access.stores()));
                scalars.extend(of.filter(|_| instr.op.contract().pipe == Pipe::S));
            }
        });
        !scalars.is_disjoint(&stored)
    }
    /// Returns the tensors that the kernel appends to: behind the last appended element they keep
    /// what they held.
    pub fn packed(&self) -> BTreeSet<ParamId> {
        let mut packed = BTreeSet::new();
        self.walk(&mut |s| {
            if let StmtKind::Do(QueueStmt::Instr { instr }) = &s.kind {
                if instr.op == Op::Copy(CopyOp::PackPad) {
                    packed.extend(instr.dst().and_then(View::param));
                }
            }
        });
        packed
    }
    /// True where blocks wait for each other, at a barrier or for a flag between cores.
    pub fn meets(&self) -> bool {
        let mut found = self.has_flags_across();
        self.walk(&mut |s| found |= s.is_meeting());
        found
    }
    /// True where the author sets or waits for flags between cores.
    pub fn has_flags_across(&self) -> bool {
        let mut found = false;
        self.walk(&mut |s| {
            found |= matches!(
                s.kind,
                StmtKind::Do(QueueStmt::Sync {
                    what: SyncOp::CrossSet { .. } | SyncOp::CrossWait { .. }
                })
            );
        });
        found
    }
    /// Returns each event that the author orders by, with an upper bound of its ids.
    pub fn event_ids(&self) -> BTreeMap<Event, i64> {
        let mut found = BTreeMap::new();
        self.walk(&mut |s| {
            let StmtKind::Do(QueueStmt::Sync {
                what: SyncOp::Set { event, id } | SyncOp::Wait { event, id },
            }) = &s.kind
            else {
                return;
            };
            let ids = match id {
                Scalar::Bin(BinOp::Rem, _, by) => by.as_int(),
                id => id.as_int().map(|id| id.saturating_add(1)),
            };
            let most = found.entry(*event).or_insert(1);
            *most = ids.unwrap_or(EVENT_IDS).clamp(*most, EVENT_IDS);
        });
        found
    }
    /// True if the reset of this memory directly follows a `SyncAll`, which is a barrier of all
    /// pipes.
    pub fn resets_at_meeting(&self, memory: &[Memory]) -> bool {
        fn found(stmts: &[Stmt], memory: &[Memory]) -> bool {
            let resets = |s: &Stmt| matches!(&s.kind, StmtKind::Do(QueueStmt::Reset { memory: own }) if own == memory);
            let here = stmts
                .windows(2)
                .any(|pair| pair[0].is_meeting() && resets(&pair[1]));
            let mut inside = stmts.iter().flat_map(Stmt::children).flatten();
            here || inside.any(|inner| found(inner, memory))
        }
        found(&self.stmts, memory)
    }
    /// Returns the memory that TPipe hands out anew, in order.
    pub fn resets(&self) -> Vec<&[Memory]> {
        let mut found = Vec::new();
        self.walk(&mut |s| {
            if let StmtKind::Do(QueueStmt::Reset { memory }) = &s.kind {
                found.push(&memory[..]);
            }
        });
        found
    }
}
