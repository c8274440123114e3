//! Brings a body into a simpler form before lowering.
//!
//! - Casts to the own type and copies of immutable values become other names of their source.
//! - Unused values disappear.
//! - `size_of` becomes a number, except where it is the size of a buffer.
//! - A number of the kernel's element type gets the type that it has in the instance.

use crate::ir::tile::{Body, Stmt};
use crate::ir::{queue, uses};
use crate::ir::{Scalar, ScalarTy, Signature, StmtKind, TileExpr, TileStmt, ValueId};
use crate::lower::type_queries::Binding;
use std::collections::BTreeSet;

/// Normalizes a body under a dtype binding.
pub fn run(body: &mut Body, sig: &Signature, binding: &Binding<'_>) {
    let mut alias: Vec<ValueId> = (0..body.values.len() as u32).map(ValueId).collect();
    let values = body.values.clone();
    let ty = |id: ValueId| values[id.index()].dtype;
    let axes = |id: ValueId| &values[id.index()].axes;
    // Asks the binding only about these two types. A value keeps its symbolic dtype: an alias of a
    // `T` that is `f32` here still prints as `T`.
    let own = |from: ValueId, to: ValueId| binding.same(ty(from), ty(to));
    body.walk(&mut |s| {
        let StmtKind::Do(TileStmt::Def { value, expr }) = &s.kind else {
            return;
        };
        let source = match expr {
            TileExpr::Cast { value: from, .. } | TileExpr::Truncate { value: from }
                if own(*from, *value) =>
            {
                *from
            }
            TileExpr::Copy { value: from } if axes(*from) == axes(*value) => *from,
            TileExpr::Copy { .. }
            | TileExpr::Cast { .. }
            | TileExpr::Load { .. }
            | TileExpr::LoadOr { .. }
            | TileExpr::Fill { .. }
            | TileExpr::Iota { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. }
            | TileExpr::Reduce { .. }
            | TileExpr::Op { .. }
            | TileExpr::Pick { .. }
            | TileExpr::Top { .. }
            | TileExpr::Scan { .. }
            | TileExpr::Truncate { .. }
            | TileExpr::Round { .. } => return,
        };
        let source = alias[source.index()];
        if !values[value.index()].mutable && !values[source.index()].mutable {
            alias[value.index()] = source;
        }
    });
    Rename {
        alias: &alias,
        binding,
        own: &own,
        sig,
    }
    .stmts(&mut body.stmts);
    drop_idle(body);
}

/// Resolves `size_of` in the statements of a queue kernel, and in the buffer numbers of its queues.
pub fn resolve_sizes(body: &mut queue::Body, binding: &Binding<'_>) {
    body.change_scalars(|scalar| binding.sized(scalar));
    for q in &mut body.queues {
        q.buffer_num = binding.sized(&q.buffer_num);
    }
}

/// Drops unused definitions.
pub(super) fn drop_idle(body: &mut Body) {
    drop_idle_and_loops(body, true);
}

/// Drops unused definitions, and tile loops that do nothing.
pub fn drop_idle_loops(body: &mut Body) {
    drop_idle_and_loops(body, false);
}

fn drop_idle_and_loops(body: &mut Body, at_top: bool) {
    loop {
        let mut used = BTreeSet::new();
        body.walk(&mut |s| uses(s, &mut used));
        if !drop_unused(&mut body.stmts, &used, at_top) {
            break;
        }
    }
}

/// Drops unused definitions, and statements that are empty without them. Returns true if there were
/// any.
fn drop_unused(stmts: &mut Vec<Stmt>, used: &BTreeSet<ValueId>, at_top: bool) -> bool {
    let before = stmts.len();
    stmts.retain(
        |s| !matches!(&s.kind, StmtKind::Do(TileStmt::Def { value, .. }) if !used.contains(value)),
    );
    let mut inside = false;
    for s in stmts.iter_mut() {
        let at_top = at_top && !matches!(s.kind, StmtKind::Do(TileStmt::Loop { .. }));
        for list in s.children_mut().into_iter().flatten() {
            inside |= drop_unused(list, used, at_top);
        }
    }
    stmts.retain(|s| !is_empty(s, at_top));
    inside || stmts.len() < before
}

/// True for an empty loop or branch. An outermost tile loop stays, since the cores divide it.
fn is_empty(s: &Stmt, at_top: bool) -> bool {
    match &s.kind {
        StmtKind::Do(TileStmt::Loop { tile }) => !at_top && tile.body.is_empty(),
        StmtKind::For { body, .. } => body.is_empty(),
        StmtKind::If { then, other, .. } => then.is_empty() && other.is_empty(),
        StmtKind::LetScalar { .. }
        | StmtKind::SetScalar { .. }
        | StmtKind::Promise { .. }
        | StmtKind::Do(
            TileStmt::Def { .. }
            | TileStmt::Set { .. }
            | TileStmt::Store { .. }
            | TileStmt::Dump { .. }
            | TileStmt::Append { .. }
            | TileStmt::Read { .. },
        ) => false,
    }
}

/// Renames aliased values, drops their definitions, and resolves `size_of` in every statement.
/// Casts of mutable values to their own type become copies.
struct Rename<'a> {
    alias: &'a [ValueId],
    binding: &'a Binding<'a>,
    sig: &'a Signature,
    /// True if two values have the same element type.
    own: &'a dyn Fn(ValueId, ValueId) -> bool,
}

impl Rename<'_> {
    fn to(&self, v: ValueId) -> ValueId {
        self.alias[v.index()]
    }

    fn stmts(&self, stmts: &mut Vec<Stmt>) {
        stmts.retain(|s| !matches!(s.kind, StmtKind::Do(TileStmt::Def { value, .. }) if self.to(value) != value));
        stmts.iter_mut().for_each(|s| self.stmt(s));
    }

    fn stmt(&self, s: &mut Stmt) {
        s.children_mut()
            .into_iter()
            .flatten()
            .for_each(|inner| self.stmts(inner));
        if let Some(own) = s.own_mut() {
            own.rename(|v| self.to(v));
            if let TileStmt::Def { value, expr } = own {
                self.copies(*value, expr);
            }
        }
        let beside = matches!(s.kind, StmtKind::Do(TileStmt::Def { .. }));
        s.scalars_mut(&mut |e| {
            *e = self.binding.sized(e);
            if beside {
                self.settle(e);
            }
        });
    }

    /// Converts a number of an element type to an integer where its elements are integers.
    fn settle(&self, number: &mut Scalar) {
        let Scalar::Attr(id, ScalarTy::F32) = number else {
            return;
        };
        if let Some(element) = self.sig.element(*id) {
            *number = Scalar::cast(self.binding.beside(element), number.clone());
        }
    }

    /// Makes a copy of a cast to the own type.
    fn copies(&self, value: ValueId, expr: &mut TileExpr) {
        if let TileExpr::Cast { value: from, .. } | TileExpr::Truncate { value: from } = expr {
            if (self.own)(*from, value) {
                *expr = TileExpr::Copy { value: *from };
            }
        }
    }
}
