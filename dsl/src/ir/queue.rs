//! The queue dialect: queues, buffers, local tensors and the instructions on them, as AscendC has them.

use super::text::{text_enum, text_word};
use super::{
    stmt, BinOp, BufId, Event, FuncId, Instr, Memory, QueueId, Scalar, SpanId, StmtKind, SyncOp,
    TPosition, TensorId, VarId, View, EVENT_IDS,
};
use crate::ops::contract::Pipe;
use std::collections::{BTreeMap, BTreeSet};

/// A statement of the queue dialect.
pub type Stmt = stmt::Stmt<QueueStmt>;
/// A body of the queue dialect: no axes and values.
pub type Body = stmt::Body<QueueStmt>;

/// What an author asks of the host.
#[derive(Clone, Debug, PartialEq)]
pub enum HostCall {
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
}
text_enum!(HostCall { Split = "split" { start, len, total, unit, block_dim }, FitTile = "fit_tile" { var, unit } });

/// What a TQue does with a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueOp {
    /// AllocTensor: a new one to be filled.
    Alloc,
    /// EnQue: it is handed on.
    Enque,
    /// DeQue: the next one that was handed on.
    Deque,
    /// FreeTensor: its memory may be filled again.
    Free,
}
impl QueueOp {
    /// The statement that does it.
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

/// What the queue dialect has beside control.
#[derive(Clone, Debug, PartialEq)]
pub enum QueueStmt {
    /// What the host answers before the launch; in what is lowered no more.
    Host {
        /// Which.
        call: HostCall,
    },
    /// A tensor and its queue.
    Queue {
        /// What becomes of it.
        op: QueueOp,
        /// The tensor: a new one of AllocTensor and DeQue.
        tensor: TensorId,
        /// Of which queue.
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
    /// An order of pipes, or of blocks.
    Sync {
        /// Which.
        what: SyncOp,
    },
    /// An instruction of one of the pipes.
    Instr {
        /// Which.
        instr: Instr,
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
    /// The instruction, where it is one.
    pub fn instr(&self) -> Option<&Instr> {
        if let StmtKind::Do(QueueStmt::Instr { instr }) = &self.kind {
            Some(instr)
        } else {
            None
        }
    }
    /// True where all blocks wait for one another.
    pub fn is_meeting(&self) -> bool {
        matches!(
            self.kind,
            StmtKind::Do(QueueStmt::Sync {
                what: SyncOp::All {}
            })
        )
    }
    /// The pipe that is waited for and the one that waits, where the lowering put a wait in.
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
    /// True where the author orders pipes by hand, or places tensors where no queue and no buffer is.
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
    /// True where blocks wait for one another, in a meeting or for a flag across the cores.
    pub fn meets(&self) -> bool {
        let mut found = self.has_flags_across();
        self.walk(&mut |s| found |= s.is_meeting());
        found
    }
    /// True where the author sets or waits for flags across the cores.
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
    /// Of each event that the author orders by, how many ids it has at most.
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
    /// What TPipe hands out anew, in order.
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
