//! Places barriers for the vector pipe, in text that does not rely on the compiler's automatic
//! synchronisation.
//!
//! A call waits if it touches what an earlier one wrote, or writes what an earlier one read, and no
//! barrier stands between. Memory is distinguished by queue, buffer and function parameter, not by
//! element. Iterations of a loop that touch other rows of a tensor therefore wait as well. A call
//! of a function waits before the call for everything that the function must wait for.

use jumar_dsl::ir::queue::{Body, Stmt};
use jumar_dsl::ir::{walk_stmts, BufId, Func, QueueId, QueueOp, QueueStmt, StmtKind, TensorId};
use jumar_dsl::ops::contract::{Access, Pipe};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The memory of a local tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Memory {
    Queue(QueueId),
    Buf(BufId),
    /// Memory that the author has placed, at any address.
    Placed,
    /// A parameter of a function, by number; parameters that may overlap count as one.
    Given(usize),
}

/// The memory of each tensor of a body, and the functions that it may call.
#[derive(Clone)]
pub(super) struct Memories<'f> {
    all: Vec<Option<Memory>>,
    funcs: &'f [Arc<Func>],
}

impl<'f> Memories<'f> {
    /// Finds the memory of a function's tensors.
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
            // A view has the memory of its base.
            if let StmtKind::Do(QueueStmt::View { tensor, of }) = &s.kind {
                all[tensor.index()] = of.tensor().and_then(|base: TensorId| all[base.index()]);
            }
        });
        Memories { all, funcs }
    }

    /// Returns the vector unit's accesses to local tensors in a statement, without those of inner
    /// statements.
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

/// Accesses of vector calls since the last barrier.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    read: BTreeSet<Memory>,
    written: BTreeSet<Memory>,
}

impl Pending {
    /// Collects the accesses of all vector calls in statements: at the beginning of an iteration
    /// those of the previous one are pending.
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

    /// Adds the pending accesses of another path to this place.
    pub(super) fn join(&mut self, other: Pending) {
        self.read.extend(other.read);
        self.written.extend(other.written);
    }

    /// True if a barrier must precede a statement, whose accesses become pending.
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
