//! Which variables and tensors a list of statements uses, so that nothing unused is printed: the emitted text
//! compiles without warnings.

use jumar_dsl::ir::{walk_stmts, Scalar, Stmt, StmtKind, TensorId, VarId};
use std::collections::BTreeSet;

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
    vars: BTreeSet<VarId>,
    tensors: BTreeSet<TensorId>,
}

impl Live {
    /// Everything that the effects of `stmts` depend on.
    pub(crate) fn of<'a>(stmts: impl Iterator<Item = &'a Stmt> + Clone) -> Live {
        let mut live = Live::default();
        loop {
            let before = (live.vars.len(), live.tensors.len());
            for s in stmts.clone() {
                walk_stmts(std::slice::from_ref(s), &mut |s| live.add(s));
            }
            if before == (live.vars.len(), live.tensors.len()) {
                return live;
            }
        }
    }

    fn add(&mut self, stmt: &Stmt) {
        if !self.keeps(stmt) {
            return;
        }
        stmt.scalars(&mut |s| {
            vars_in(s, &mut |v| {
                self.vars.insert(v);
            });
        });
        stmt.tensors(&mut |t| {
            self.tensors.insert(t);
        });
    }

    /// False for a statement that only computes what nobody uses.
    pub(crate) fn keeps(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::LetScalar { var, .. } | StmtKind::SetScalar { var, .. } => self.vars.contains(var),
            StmtKind::Instr { instr } => instr.result().is_none_or(|var| self.vars.contains(&var)),
            StmtKind::Get { tensor, .. } | StmtKind::View { tensor, .. } => self.tensors.contains(tensor),
            StmtKind::For { .. } | StmtKind::If { .. } => {
                stmt.children().into_iter().flatten().flatten().any(|s| self.keeps(s))
            }
            StmtKind::Alloc { .. }
            | StmtKind::Enque { .. }
            | StmtKind::Deque { .. }
            | StmtKind::Free { .. }
            // A lowered body has none of these.
            | StmtKind::Loop { .. }
            | StmtKind::Def { .. }
            | StmtKind::Set { .. }
            | StmtKind::Store { .. }
            | StmtKind::Split { .. }
            | StmtKind::FitTile { .. } => true,
        }
    }
    /// True where a variable is used.
    pub(crate) fn var(&self, id: VarId) -> bool {
        self.vars.contains(&id)
    }
    /// True where a tensor is used.
    pub(crate) fn tensor(&self, id: TensorId) -> bool {
        self.tensors.contains(&id)
    }
    /// The variables used.
    pub(crate) fn vars(&self) -> impl Iterator<Item = VarId> + '_ {
        self.vars.iter().copied()
    }
    /// The tensors used.
    pub(crate) fn tensors(&self) -> impl Iterator<Item = TensorId> + '_ {
        self.tensors.iter().copied()
    }
}
