//! What is made twice is made once: a definition that equals an earlier one is another name for it.
//!
//! Two definitions are equal where their expressions are, with the same type and axes: the same op on equal tiles and scalars, the same
//! place of the same tensor, at equal tiles of indices with the same promise. Nothing in them changes: no tile of a `let mut`, no scalar
//! that is set, and so nothing that cores merge.
//!
//! - A definition is known behind it in its list and in the lists inside that. What a loop or a branch has defined is forgotten behind it, so that
//!   each outermost loop has its own tiles.
//! - What was loaded is known until a store to its tensor, under whatever view. In a loop the stores of a turn come before the
//!   loads of the next one; behind a branch those of either of its lists have been. Two parameters are two tensors.
//! - Copies come first in a list (`hoist`), so that two loads of one place hold two blocks from its beginning on: one is a gain wherever the
//!   other stands. An op that is made again needs its operands until then, so that one tile lives longer in place of others.
//! - A number in all elements (`Fill`) and a tile that is repeated (`Copy`) take one call of little more than what they write, and an op often needs
//!   neither (`peephole`): they stay, each where it is used, and what is made of two equal ones is equal.

use super::normalize::drop_idle;
use super::stream::rename;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{Scalar, StmtKind, TensorRef, TileExpr, TileStmt, ValueId};
use crate::lower::nest::stored;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Makes a body define once what it defines twice; true where it did that.
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

/// Drops the definitions that are other names.
fn drop_named(stmts: &mut Vec<Stmt>, names: &BTreeMap<ValueId, ValueId>) {
    stmts.retain(|s| !matches!(&s.kind, StmtKind::Do(TileStmt::Def { value, .. }) if names.contains_key(value)));
    for s in stmts {
        s.children_mut()
            .into_iter()
            .flatten()
            .for_each(|inner| drop_named(inner, names));
    }
}

/// What a definition reads first: equal ones read the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reads {
    Tensor(TensorRef),
    Value(ValueId),
    /// Scalars alone.
    Scalars,
}

/// Reads statements in order.
struct Reader<'a> {
    body: &'a Body,
    /// The definitions that are known, with the first one of equal operands in the place of each.
    known: BTreeMap<Reads, Vec<(ValueId, Cow<'a, TileExpr>)>>,
    /// Where they were put, the last one last.
    learned: Vec<Reads>,
    /// Of each value the first one that equals it.
    first: Vec<ValueId>,
    /// What becomes another name.
    names: BTreeMap<ValueId, ValueId>,
}

impl<'a> Reader<'a> {
    fn list(&mut self, stmts: &'a [Stmt]) {
        let before = self.learned.len();
        stmts.iter().for_each(|s| self.statement(s));
        // Behind a store that forgot some there are none from before this list.
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
            // They define no tile and write nothing to GM.
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::Promise { .. }
            | StmtKind::Do(TileStmt::Set { .. } | TileStmt::Read { .. } | TileStmt::Dump { .. }) => {
            } // The queue dialect has no values.
        }
    }

    /// The body of a loop: a turn comes behind others.
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

/// True where a definition has another content, or is made of what has another, each time that it is reached or read.
pub(super) fn changes(body: &Body, value: ValueId, expr: &TileExpr, s: &Stmt) -> bool {
    let mutable = |v: ValueId| body.values[v.index()].mutable;
    let mut changes = mutable(value) || expr.operands().any(mutable);
    s.scalars(&mut |e| {
        e.walk(&mut |n| changes |= matches!(n, Scalar::Var(v) if body.var(*v).mutable))
    });
    changes
}

/// What becomes of a definition that equals a known one.
#[derive(Clone, Copy, PartialEq)]
enum Becomes {
    /// Another name for that.
    Name,
    /// A tile of its own, of which what equals what is made of the other is made.
    Twin,
    /// No two are equal.
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
