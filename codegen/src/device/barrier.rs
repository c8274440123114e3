//! Where the vector pipe is made to wait for itself, in text that does not rely on the compiler's automatic synchronisation.
//!
//! A call waits where it touches what an earlier one wrote, or writes what an earlier one read, and no barrier stands between.
//! Memory is told apart by queues, buffers and what a function is given, not by elements: turns of a loop that touch other rows of
//! a tensor wait, too. What a call of a function must wait for it waits for before it.

use jumar_dsl::ir::queue::{Body, Stmt};
use jumar_dsl::ir::{walk_stmts, BufId, Func, QueueId, QueueOp, QueueStmt, StmtKind, TensorId};
use jumar_dsl::ops::contract::{Access, Pipe};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What local tensors are parts of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Memory {
    Queue(QueueId),
    Buf(BufId),
    /// Where the author has placed it, which may be anywhere.
    Placed,
    /// What a function is given, by number; what may lie over another one counts as that.
    Given(usize),
}

/// The memory of each tensor of a body, and the functions that it may call.
#[derive(Clone)]
pub(super) struct Memories<'f> {
    all: Vec<Option<Memory>>,
    funcs: &'f [Arc<Func>],
}

impl<'f> Memories<'f> {
    /// Those of a function's body.
    pub(super) fn of_func(func: &Func, funcs: &'f [Arc<Func>]) -> Memories<'f> {
        let all = func
            .tensors
            .iter()
            .enumerate()
            .map(|(i, t)| Some(Memory::Given(t.over.unwrap_or(i))))
            .collect();
        Memories { all, funcs }
    }

    pub(super) fn of(body: &Body, funcs: &'f [Arc<Func>]) -> Memories<'f> {
        let mut all = vec![None; body.tensors.len()];
        body.walk(&mut |s| {
            if let StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc | QueueOp::Deque,
                tensor,
                queue,
            }) = &s.kind
            {
                all[tensor.index()] = Some(Memory::Queue(*queue));
            }
            if let StmtKind::Do(QueueStmt::Get { tensor, buf }) = &s.kind {
                all[tensor.index()] = Some(Memory::Buf(*buf));
            }
            if let StmtKind::Do(QueueStmt::Place { tensor, .. }) = &s.kind {
                all[tensor.index()] = Some(Memory::Placed);
            }
            // A view stands behind what it is one of.
            if let StmtKind::Do(QueueStmt::View { tensor, of }) = &s.kind {
                all[tensor.index()] = of.tensor().and_then(|base: TensorId| all[base.index()]);
            }
        });
        Memories { all, funcs }
    }

    /// What the vector unit does with local tensors in a statement, those inside it left out.
    fn touched(&self, s: &Stmt) -> Vec<(Access, Memory)> {
        let views: Vec<_> = match &s.kind {
            StmtKind::Do(QueueStmt::Instr { instr }) => instr
                .views()
                .filter(|_| instr.op.contract().pipe == Pipe::V)
                .map(|(rule, view)| (rule.access, view))
                .collect(),
            StmtKind::Do(QueueStmt::Call { func, tensors, .. }) => self.funcs[func.index()]
                .tensors
                .iter()
                .map(|t| t.access)
                .zip(tensors)
                .collect(),
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::For { .. }
            | StmtKind::If { .. }
            | StmtKind::Promise { .. } => Vec::new(),
            StmtKind::Do(
                QueueStmt::Host { .. }
                | QueueStmt::Queue { .. }
                | QueueStmt::Get { .. }
                | QueueStmt::View { .. }
                | QueueStmt::Place { .. }
                | QueueStmt::Sync { .. }
                | QueueStmt::Reset { .. },
            ) => Vec::new(),
        };
        views
            .into_iter()
            .filter_map(|(access, view)| Some((access, self.all[view.tensor()?.index()]?)))
            .collect()
    }
}

/// What vector calls touched since the last barrier.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    read: BTreeSet<Memory>,
    written: BTreeSet<Memory>,
}

impl Pending {
    /// What all vector calls of statements touch: at the beginning of a turn the calls of the turn before are pending.
    pub(super) fn of<'s>(
        stmts: impl IntoIterator<Item = &'s Stmt>,
        memories: &Memories<'_>,
    ) -> Pending {
        let mut all = Pending::default();
        for s in stmts {
            walk_stmts(std::slice::from_ref(s), &mut |s| all.touch(s, memories));
        }
        all
    }

    /// Adds what is pending on another way to the same place.
    pub(super) fn join(&mut self, other: Pending) {
        self.read.extend(other.read);
        self.written.extend(other.written);
    }

    /// True where a barrier must stand before a statement, which is pending from now on.
    pub(super) fn must_wait(&mut self, s: &Stmt, memories: &Memories<'_>) -> bool {
        let mut own = Pending::default();
        own.touch(s, memories);
        let meets = |a: &BTreeSet<Memory>, b: &BTreeSet<Memory>| !a.is_disjoint(b);
        let waits = meets(&own.read, &self.written)
            || meets(&own.written, &self.written)
            || meets(&own.written, &self.read);
        if waits {
            *self = own;
        } else {
            self.join(own);
        }
        waits
    }

    fn touch(&mut self, s: &Stmt, memories: &Memories<'_>) {
        for (access, memory) in memories.touched(s) {
            let all = if access == Access::Read {
                &mut self.read
            } else {
                &mut self.written
            };
            all.insert(memory);
        }
    }
}
