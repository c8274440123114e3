//! Common subexpressions: a definition that equals an earlier one becomes another name for it.
//!
//! Two definitions are equal if their expressions, types and axes are: the same op on equal tiles
//! and scalars, or the same place of the same tensor, at equal tiles of indices with the same
//! promise. Definitions that may change are never equal: tiles of a `let mut`, scalars that are
//! set, and cross-core accumulators.
//!
//! - A definition is known in the rest of its list and in the lists inside that. Behind a loop or a
//!   branch its definitions are forgotten, so each outermost loop has its own tiles.
//! - A load is known until a store to its tensor, through any view. In a loop, stores of one
//!   iteration come before loads of the next one. Behind a branch, stores of both its lists count.
//!   Two parameters are two tensors.
//! - Loads come first in a list (`loads_first`), so two equal loads hold two buffers from its
//!   beginning on. Sharing them is always a gain. Ops are shared too: a second op would keep its
//!   operands alive until then, so one tile lives longer in place of those.
//! - A `Fill` and a repeating `Copy` cost one call, and ops often need neither (`peephole`). They
//!   stay, each where it is used. Expressions of two equal ones are equal.

use super::normalize::drop_idle;
use super::stream::rename;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{Scalar, StmtKind, TensorRef, TileExpr, TileStmt, ValueId};
use crate::lower::nest::stored;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Shares equal definitions of a body. Returns true if there were any.
pub fn run(body: &mut Body) -> bool {
    let values = (0..body.values.len() as u32).map(ValueId).collect();
    let mut reader = Reader {
        body,
        known: BTreeMap::new(),
        learned: Vec::new(),
        first: values,
        names: BTreeMap::new(),
    };
    reader.list(&body.stmts);
    let names = reader.names;
    if names.is_empty() {
        return false;
    }
    drop_named(&mut body.stmts, &names);
    rename(&mut body.stmts, &names);
    drop_idle(body);
    true
}

/// Drops the definitions that became other names.
fn drop_named(stmts: &mut Vec<Stmt>, names: &BTreeMap<ValueId, ValueId>) {
    stmts.retain(|s| !matches!(&s.kind, StmtKind::Do(TileStmt::Def { value, .. }) if names.contains_key(value)));
    for s in stmts {
        s.children_mut()
            .into_iter()
            .flatten()
            .for_each(|inner| drop_named(inner, names));
    }
}

/// The first thing that a definition reads: a key under which equal definitions are found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reads {
    Tensor(TensorRef),
    Value(ValueId),
    /// Only scalars are read.
    Scalars,
}

/// Reads statements in order, and collects equal definitions.
struct Reader<'a> {
    body: &'a Body,
    /// The known definitions, with each operand replaced by the first value that equals it.
    known: BTreeMap<Reads, Vec<(ValueId, Cow<'a, TileExpr>)>>,
    /// The keys in `known`, in the order of insertion.
    learned: Vec<Reads>,
    /// For each value, the first value that equals it.
    first: Vec<ValueId>,
    /// The values that become other names.
    names: BTreeMap<ValueId, ValueId>,
}

impl<'a> Reader<'a> {
    fn list(&mut self, stmts: &'a [Stmt]) {
        let before = self.learned.len();
        stmts.iter().for_each(|s| self.statement(s));
        // A store inside may have removed an entry as a whole, with all from before this list.
        for source in self.learned.drain(before..) {
            self.known.get_mut(&source).and_then(Vec::pop);
        }
    }

    fn statement(&mut self, s: &'a Stmt) {
        match &s.kind {
            StmtKind::Do(TileStmt::Def { value, expr }) => self.define(*value, expr, s),
            StmtKind::Do(TileStmt::Store { to, .. } | TileStmt::Append { to, .. }) => {
                self.forget(to.of)
            }
            StmtKind::For { body, .. } => self.turns(body),
            StmtKind::Do(TileStmt::Loop { tile }) => self.turns(&tile.body),
            StmtKind::If { then, other, .. } => {
                self.list(then);
                self.list(other);
            }
            // These define no tile and write nothing to GM.
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::Promise { .. }
            | StmtKind::Do(TileStmt::Set { .. } | TileStmt::Read { .. } | TileStmt::Dump { .. }) => {
            }
        }
    }

    /// Reads the body of a loop. Its own stores come before its loads, in the iteration before.
    fn turns(&mut self, body: &'a [Stmt]) {
        stored(body).into_iter().for_each(|of| self.forget(of));
        self.list(body);
    }

    fn forget(&mut self, of: TensorRef) {
        self.known.remove(&Reads::Tensor(of));
    }

    fn define(&mut self, value: ValueId, expr: &'a TileExpr, s: &Stmt) {
        let becomes = Becomes::of(expr);
        if becomes == Becomes::Itself || changes(self.body, value, expr, s) {
            return;
        }
        let first = |v: ValueId| self.first[v.index()];
        let expr = match expr.operands().all(|v| first(v) == v) {
            true => Cow::Borrowed(expr),
            false => {
                let mut named = expr.clone();
                named.rename(first);
                Cow::Owned(named)
            }
        };
        let source = match s.access() {
            Some(from) => Reads::Tensor(from.of),
            None => expr.operands().next().map_or(Reads::Scalars, Reads::Value),
        };
        let known = self.known.entry(source).or_default();
        let decl = |v: ValueId| &self.body.values[v.index()];
        let alike =
            |v: ValueId| decl(v).dtype == decl(value).dtype && decl(v).axes == decl(value).axes;
        match known.iter().find(|(v, of)| alike(*v) && *of == expr) {
            None => {
                known.push((value, expr));
                self.learned.push(source);
            }
            Some((equal, _)) => {
                self.first[value.index()] = *equal;
                if becomes == Becomes::Name {
                    self.names.insert(value, *equal);
                }
            }
        }
    }
}

/// True if a definition may have another content each time that it is reached or read.
pub(super) fn changes(body: &Body, value: ValueId, expr: &TileExpr, s: &Stmt) -> bool {
    let mutable = |v: ValueId| body.values[v.index()].mutable;
    let mut changes = mutable(value) || expr.operands().any(mutable);
    s.scalars(&mut |e| {
        e.walk(&mut |n| changes |= matches!(n, Scalar::Var(v) if body.var(*v).mutable))
    });
    changes
}

/// The fate of a definition that equals a known one.
#[derive(Clone, Copy, PartialEq)]
enum Becomes {
    /// It becomes another name for that one.
    Name,
    /// It stays a tile of its own, but expressions of the two are equal.
    Twin,
    /// It equals no other definition.
    Itself,
}

impl Becomes {
    fn of(expr: &TileExpr) -> Becomes {
        match expr {
            TileExpr::Load { .. }
            | TileExpr::LoadOr { .. }
            | TileExpr::Iota { .. }
            | TileExpr::Reduce { .. }
            | TileExpr::Op { .. }
            | TileExpr::Cast { .. }
            | TileExpr::Truncate { .. }
            | TileExpr::Round { .. }
            | TileExpr::Pick { .. }
            | TileExpr::Top { .. }
            | TileExpr::Scan { .. } => Becomes::Name,
            TileExpr::Fill { .. } | TileExpr::Copy { .. } => Becomes::Twin,
            TileExpr::Across { .. } | TileExpr::Appended { .. } => Becomes::Itself,
        }
    }
}
