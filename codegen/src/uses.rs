//! Which variables and tensors a list of statements uses, so that nothing unused is printed: the emitted text
//! compiles without warnings.

use jumar_dsl::ir::queue::Stmt;
use jumar_dsl::ir::{QueueStmt, Scalar, StmtKind, TensorId, VarId};

/// Variables in an expression.
pub(crate) fn vars_in(s: &Scalar, f: &mut impl FnMut(VarId)) {
    s.walk(&mut |node| {
        if let Scalar::Var(v) = node {
            f(*v);
        }
    });
}

/// Variables and tensors that matter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Live {
    /// By index.
    vars: Vec<Option<VarId>>,
    /// By index.
    tensors: Vec<Option<TensorId>>,
}

impl Live {
    /// Everything that the effects of `stmts` depend on.
    pub(crate) fn of<'a>(stmts: impl Iterator<Item = &'a Stmt>) -> Live {
        let stmts: Vec<&Stmt> = stmts.collect();
        let mut live = Live::default();
        loop {
            // What is read is defined before, so that in one turn from the end all is found but what a loop hands on to its next turn.
            let mut dropped = Vec::new();
            stmts.iter().rev().for_each(|s| {
                live.see(s, &mut dropped);
            });
            if !dropped.into_iter().any(|s| live.keeps(s)) {
                return live;
            }
        }
    }

    /// The same with tensors that matter besides.
    pub(crate) fn and(mut self, tensors: impl Iterator<Item = TensorId>) -> Live {
        tensors.for_each(|t| note(&mut self.tensors, t.index(), t));
        self
    }

    /// The same with what statements before them are needed for, in order.
    pub(crate) fn with<'a>(mut self, before: impl DoubleEndedIterator<Item = &'a Stmt>) -> Live {
        before.rev().for_each(|s| {
            self.see(s, &mut Vec::new());
        });
        self
    }

    /// Adds what a statement needs that is kept; false for one that is not, which is among the dropped ones then.
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
            // A call that writes a tensor sets a variable besides, whether or not anyone reads it.
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

    /// False for a statement that only computes what nobody uses.
    pub(crate) fn keeps(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::LetScalar { var, .. } | StmtKind::SetScalar { var, .. } => self.var(*var),
            // What writes a tensor beside a variable is kept for that.
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
    /// True where a variable is used.
    pub(crate) fn var(&self, id: VarId) -> bool {
        self.vars.get(id.index()).is_some_and(Option::is_some)
    }
    /// True where a tensor is used.
    pub(crate) fn tensor(&self, id: TensorId) -> bool {
        self.tensors.get(id.index()).is_some_and(Option::is_some)
    }
    /// The variables used.
    pub(crate) fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.vars.iter().flatten().copied()
    }
    /// The tensors used.
    pub(crate) fn tensors(&self) -> impl Iterator<Item = TensorId> + '_ {
        self.tensors.iter().flatten().copied()
    }
}

/// Notes `id`.
fn note<T>(list: &mut Vec<Option<T>>, index: usize, id: T) {
    if list.len() <= index {
        list.resize_with(index + 1, || None);
    }
    list[index] = Some(id);
}
