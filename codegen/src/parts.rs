//! Splits the statements of a class by the place where they are printed.

use crate::uses::{vars_in, Live};
use jumar_dsl::ir::queue::{Body, Stmt};
use jumar_dsl::ir::{
    walk_stmts, Memory, ParamId, QueueStmt, Scalar, StmtKind, TensorRef, VarId, WorkId,
};
use std::collections::BTreeSet;

/// The statements of a body, by the place where they are printed.
#[derive(Debug)]
pub(crate) struct Split<'a> {
    /// Scalars that depend on the tiling data and the block index only: computed in `Init`.
    pub(crate) lets: Vec<&'a Stmt>,
    /// Buffers as tensors, and views of them under another type: every method can get them itself.
    pub(crate) gets: Vec<&'a Stmt>,
    /// All other statements, in order.
    pub(crate) rest: Vec<&'a Stmt>,
}

impl<'a> Split<'a> {
    /// Splits a body whose tiling data are `fields`.
    pub(crate) fn of(body: &'a Body, fields: &[VarId]) -> Split<'a> {
        let mut parts = Split {
            lets: Vec::new(),
            gets: Vec::new(),
            rest: Vec::new(),
        };
        let mut known: BTreeSet<VarId> = fields.iter().copied().collect();
        let mut is_first = true;
        for s in &body.stmts {
            is_first &= !hands_out(s);
            // After a reset, a buffer is at another address.
            if is_first && parts.every_method_gets(s, &known) {
                parts.gets.push(s);
            } else if let Some(var) = early(body, &known, s) {
                known.insert(var);
                parts.lets.push(s);
            } else {
                parts.rest.push(s);
            }
        }
        parts
    }

    /// True for a buffer as a tensor, and for a part of one whose offset depends on members only.
    fn every_method_gets(&self, s: &Stmt, known: &BTreeSet<VarId>) -> bool {
        let StmtKind::Do(QueueStmt::View { of, .. }) = &s.kind else {
            return matches!(s.kind, StmtKind::Do(QueueStmt::Get { .. }));
        };
        let mut is_known = true;
        vars_in(&of.offset, &mut |v| is_known &= known.contains(&v));
        is_known
            && of
                .tensor()
                .is_some_and(|base| self.gets.iter().any(|s| s.defines() == Some(base)))
    }
}

/// Returns the variable of a definition that `Init` can compute.
fn early(body: &Body, known: &BTreeSet<VarId>, s: &Stmt) -> Option<VarId> {
    let (var, value) = let_scalar(s)?;
    let mut early = !body.var(var).mutable;
    vars_in(value, &mut |v| early &= known.contains(&v));
    early.then_some(var)
}

/// Returns variable and value of a scalar definition.
pub(crate) fn let_scalar(s: &Stmt) -> Option<(VarId, &Scalar)> {
    match &s.kind {
        StmtKind::LetScalar { var, value } => Some((*var, value)),
        StmtKind::SetScalar { .. }
        | StmtKind::For { .. }
        | StmtKind::If { .. }
        | StmtKind::Promise { .. }
        | StmtKind::Do(_) => None,
    }
}

/// Returns the variable of a scalar definition.
pub(crate) fn let_var(s: &Stmt) -> Option<VarId> {
    let_scalar(s).map(|(var, _)| var)
}

/// The contents of a class.
#[derive(Debug)]
pub(crate) struct Contents<'a> {
    pub(crate) parts: Split<'a>,
    /// Variables and tensors that `Process` and its methods use.
    pub(crate) live: Live,
    /// Variables that `Init` reads.
    pub(crate) init: BTreeSet<VarId>,
}

impl<'a> Contents<'a> {
    /// Finds the used parts of a body.
    pub(crate) fn of(body: &'a Body, fields: &[VarId]) -> Contents<'a> {
        let parts = Split::of(body, fields);
        let mut live = Live::of(parts.rest.iter().copied()).with(parts.gets.iter().copied());
        for memory in body.resets().into_iter().flatten() {
            handed_out(body, *memory)
                .into_iter()
                .for_each(|size| live.reads(size));
        }
        // `Init` computes members, the scalars that they depend on, and the sizes of the buffers.
        let mut init: BTreeSet<VarId> = BTreeSet::new();
        let mut read = |s: &Scalar| {
            vars_in(s, &mut |v| {
                init.insert(v);
            });
        };
        body.queues
            .iter()
            .for_each(|q| [&q.bytes, &q.buffer_num].into_iter().for_each(&mut read));
        body.bufs.iter().for_each(|b| read(&b.bytes));
        works(body).into_iter().for_each(|w| read(&body.work(w).at));
        for (var, value) in parts.lets.iter().rev().filter_map(|s| let_scalar(s)) {
            if init.contains(&var) || live.var(var) {
                vars_in(value, &mut |v| {
                    init.insert(v);
                });
            }
        }
        Contents { parts, live, init }
    }

    /// True if a variable is printed.
    pub(crate) fn uses(&self, var: VarId) -> bool {
        self.live.var(var) || self.init.contains(&var)
    }
}

/// True if a statement, or one inside of it, hands out memory anew.
pub(crate) fn hands_out(s: &Stmt) -> bool {
    let mut found = false;
    walk_stmts(std::slice::from_ref(s), &mut |s| {
        found |= matches!(s.kind, StmtKind::Do(QueueStmt::Reset { .. }))
    });
    found
}

/// Returns the sizes of a queue or buffer.
fn handed_out(body: &Body, memory: Memory) -> Vec<&Scalar> {
    match memory {
        Memory::Queue { queue } => {
            let decl = &body.queues[queue.index()];
            vec![&decl.bytes, &decl.buffer_num]
        }
        Memory::Buf { buf } | Memory::Skew { buf } => vec![&body.bufs[buf.index()].bytes],
    }
}

/// True if memory is handed out more than once.
pub(crate) fn resets(body: &Body) -> bool {
    body.stmts.iter().any(hands_out)
}

/// Returns the workspaces that a body copies from or to, in order.
pub(crate) fn works(body: &Body) -> Vec<WorkId> {
    let is_work = |of: TensorRef| match of {
        TensorRef::Work(w) => Some(w),
        TensorRef::Param(_) => None,
    };
    let mut used = BTreeSet::new();
    body.walk(&mut |s| {
        if let StmtKind::Do(QueueStmt::Instr { instr }) = &s.kind {
            used.extend(
                instr
                    .views()
                    .filter_map(|(_, view)| view.global())
                    .filter_map(is_work),
            );
        }
    });
    used.into_iter().collect()
}

/// Returns the tensor parameters that a body copies from or to, in order.
pub(crate) fn tensors(body: &Body) -> Vec<ParamId> {
    let mut used = BTreeSet::new();
    body.walk(&mut |s| {
        if let StmtKind::Do(QueueStmt::Instr { instr }) = &s.kind {
            used.extend(instr.views().filter_map(|(_, view)| view.param()));
        }
    });
    used.into_iter().collect()
}
