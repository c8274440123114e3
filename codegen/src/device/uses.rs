//! Which variables and tensors a list of statements uses, so that nothing unused is printed: the emitted text
//! compiles without warnings.

use jumar_dsl::ir::{walk_stmts, Form, LocalRef, Scalar, Stmt, StmtKind, TensorId, VarId, VectorCall};
use std::collections::BTreeSet;

/// Calls `f` on each scalar of one statement, without the statements inside it.
pub(crate) fn scalars<'a>(stmt: &'a Stmt, f: &mut dyn FnMut(&'a Scalar)) {
    match &stmt.kind {
        StmtKind::LetScalar { value, .. } | StmtKind::SetScalar { value, .. } => f(value),
        StmtKind::For { from, to, .. } => [from, to].into_iter().for_each(f),
        StmtKind::If { cond, .. } => f(cond),
        StmtKind::View { of, .. } => f(&of.offset),
        StmtKind::CopyIn { dst, src, shape, .. } => {
            [&dst.offset, &src.offset, &shape.rows, &shape.cols, &shape.gm_stride, &shape.ub_pitch].into_iter().for_each(f);
        }
        StmtKind::CopyOut { dst, src, shape, .. } => {
            [&dst.offset, &src.offset, &shape.rows, &shape.cols, &shape.gm_stride, &shape.ub_pitch].into_iter().for_each(f);
        }
        StmtKind::Vector { call } => call_scalars(call, f),
        StmtKind::MaskCount { n, .. } => f(n),
        StmtKind::GetValue { src, .. } => f(&src.offset),
        StmtKind::SetValue { dst, value } => [&dst.offset, value].into_iter().for_each(f),
        StmtKind::Alloc { .. }
        | StmtKind::Enque { .. }
        | StmtKind::Deque { .. }
        | StmtKind::Free { .. }
        | StmtKind::Get { .. }
        | StmtKind::MaskNorm {}
        // Statements of the tile dialect and of the queue level before lowering: a lowered body has none.
        | StmtKind::Loop { .. }
        | StmtKind::Def { .. }
        | StmtKind::Set { .. }
        | StmtKind::Store { .. }
        | StmtKind::Split { .. }
        | StmtKind::FitTile { .. } => {}
    }
}

fn call_scalars<'a>(call: &'a VectorCall, f: &mut dyn FnMut(&'a Scalar)) {
    std::iter::once(&call.dst).chain(&call.srcs).chain(&call.tmp).for_each(|r| f(&r.offset));
    call.scalar.iter().for_each(&mut *f);
    match &call.form {
        Form::Count { n } => f(n),
        Form::Repeat { mask, repeat, .. } => [mask, repeat].into_iter().for_each(f),
        Form::Counter { .. } => {}
    }
}

/// Calls `f` on each tensor that one statement reads, writes or hands over, without those it defines.
pub(crate) fn tensors(stmt: &Stmt, f: &mut dyn FnMut(TensorId)) {
    let mut of = |r: &LocalRef| f(r.tensor);
    match &stmt.kind {
        StmtKind::Enque { tensor, .. } | StmtKind::Free { tensor, .. } => f(*tensor),
        StmtKind::View { of: r, .. } => of(r),
        StmtKind::CopyIn { dst, .. } => of(dst),
        StmtKind::CopyOut { src, .. } | StmtKind::GetValue { src, .. } => of(src),
        StmtKind::SetValue { dst, .. } => of(dst),
        StmtKind::Vector { call } => std::iter::once(&call.dst).chain(&call.srcs).chain(&call.tmp).for_each(of),
        _ => {}
    }
}

/// The tensor that a statement defines.
pub(crate) fn defined_tensor(stmt: &Stmt) -> Option<TensorId> {
    match &stmt.kind {
        StmtKind::Alloc { tensor, .. }
        | StmtKind::Deque { tensor, .. }
        | StmtKind::Get { tensor, .. }
        | StmtKind::View { tensor, .. } => Some(*tensor),
        _ => None,
    }
}

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
        scalars(stmt, &mut |s| {
            vars_in(s, &mut |v| {
                self.vars.insert(v);
            });
        });
        tensors(stmt, &mut |t| {
            self.tensors.insert(t);
        });
    }

    /// False for a statement that only computes what nobody uses.
    pub(crate) fn keeps(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::LetScalar { var, .. } | StmtKind::SetScalar { var, .. } | StmtKind::GetValue { var, .. } => {
                self.vars.contains(var)
            }
            StmtKind::Get { tensor, .. } | StmtKind::View { tensor, .. } => self.tensors.contains(tensor),
            StmtKind::For { body, .. } => body.iter().any(|s| self.keeps(s)),
            StmtKind::If { then, other, .. } => then.iter().chain(other).any(|s| self.keeps(s)),
            _ => true,
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
