//! Finds the variables and tensors that statements use. Nothing unused is printed, so that the
//! emitted text compiles without warnings.

use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::{QueueStmt, Scalar, StmtKind, TensorId, VarId};

/// Calls `f` with each variable of an expression.
pub(crate) fn vars_in(s: &Scalar, f: &mut impl FnMut(VarId)) {
    s.walk(&mut |node| {
        if let Scalar::Var(v) = node {
            f(*v);
        }
    });
}

/// Variables and tensors that are used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Live {
    /// Used variables, by index.
    vars: Vec<Option<VarId>>,
    /// Used tensors, by index.
    tensors: Vec<Option<TensorId>>,
}

impl Live {
    /// Finds everything that the effects of `stmts` depend on.
    pub(crate) fn of<'a>(stmts: impl Iterator<Item = &'a Stmt>) -> Live {
        let stmts: Vec<&Stmt> = stmts.collect();
        let mut live = Live::default();
        loop {
            // Definitions precede uses, so one pass from the end finds everything except what one
            // iteration of a loop passes to the next.
            let mut dropped = Vec::new();
            stmts.iter().rev().for_each(|s| {
                live.see(s, &mut dropped);
            });
            if !dropped.into_iter().any(|s| live.keeps(s)) {
                return live;
            }
        }
    }

    /// Adds tensors that are used elsewhere.
    pub(crate) fn and(mut self, tensors: impl Iterator<Item = TensorId>) -> Live {
        tensors.for_each(|t| note(&mut self.tensors, t.index(), t));
        self
    }

    /// Adds what the needed ones among earlier statements use, in order.
    pub(crate) fn with<'a>(mut self, before: impl DoubleEndedIterator<Item = &'a Stmt>) -> Live {
        before.rev().for_each(|s| {
            self.see(s, &mut Vec::new());
        });
        self
    }

    /// Adds what a statement uses, if it is kept. Otherwise returns false and adds it to `dropped`.
    fn see<'a>(&mut self, stmt: &'a Stmt, dropped: &mut Vec<&'a Stmt>) -> bool {
        let mut inside = false;
        for s in stmt
            .children()
            .into_iter()
            .flatten()
            .rev()
            .flat_map(|list| list.iter().rev())
        {
            inside |= self.see(s, dropped);
        }
        let kept = inside || self.keeps(stmt);
        if kept {
            stmt.scalars(&mut |s| self.reads(s));
            stmt.tensors(&mut |t| note(&mut self.tensors, t.index(), t));
            // A call that writes a tensor may also set a variable, whether or not anyone reads it.
            if let StmtKind::Do(QueueStmt::Instr { instr }) = &stmt.kind {
                instr
                    .result()
                    .into_iter()
                    .for_each(|var| note(&mut self.vars, var.index(), var));
            }
        } else {
            dropped.push(stmt);
        }
        kept
    }

    /// Adds what an expression reads of the members.
    pub(crate) fn reads(&mut self, s: &Scalar) {
        vars_in(s, &mut |v| note(&mut self.vars, v.index(), v));
    }

    /// False for a statement that only computes an unused value.
    pub(crate) fn keeps(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::LetScalar { var, .. } | StmtKind::SetScalar { var, .. } => self.var(*var),
            // A statement that also writes a tensor is kept for that.
            StmtKind::Do(QueueStmt::Instr { instr }) => {
                instr.dst().is_some() || instr.result().is_none_or(|var| self.var(var))
            }
            StmtKind::Do(
                QueueStmt::Get { tensor, .. }
                | QueueStmt::View { tensor, .. }
                | QueueStmt::Place { tensor, .. },
            ) => self.tensor(*tensor),
            StmtKind::For { .. } | StmtKind::If { .. } => stmt
                .children()
                .into_iter()
                .flatten()
                .flatten()
                .any(|s| self.keeps(s)),
            StmtKind::Promise { .. }
            | StmtKind::Do(
                QueueStmt::Queue { .. }
                | QueueStmt::Call { .. }
                | QueueStmt::Sync { .. }
                | QueueStmt::Reset { .. }
                | QueueStmt::Host { .. },
            ) => true,
        }
    }
    /// True if a variable is used.
    pub(crate) fn var(&self, id: VarId) -> bool {
        self.vars.get(id.index()).is_some_and(Option::is_some)
    }
    /// True if a tensor is used.
    pub(crate) fn tensor(&self, id: TensorId) -> bool {
        self.tensors.get(id.index()).is_some_and(Option::is_some)
    }
    /// Iterates over the used variables.
    pub(crate) fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.vars.iter().flatten().copied()
    }
    /// Iterates over the used tensors.
    pub(crate) fn tensors(&self) -> impl Iterator<Item = TensorId> + '_ {
        self.tensors.iter().flatten().copied()
    }
}

/// Adds `id` to a list.
fn note<T>(list: &mut Vec<Option<T>>, index: usize, id: T) {
    if list.len() <= index {
        list.resize_with(index + 1, || None);
    }
    list[index] = Some(id);
}
