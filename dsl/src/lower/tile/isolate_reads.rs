//! Makes scalars that are read from tiles outside of tile loops phases of their own.
//!
//! All cores execute the statements before a loop, so every core reads for itself and gets equal
//! values. This pass puts a loop with one iteration and an empty body behind the last read of a
//! group. The statements before it then are a phase (`phases::control`):
//!
//! - a barrier stands before it where another block wrote what it loads;
//! - its tiles have all of UB;
//! - the loop that uses the scalars is a phase like any other.

use super::init_accumulators::one_turn;
use super::share_common::changes;
use crate::ir::tile::{Body, Stmt};
use crate::ir::uses;
use crate::ir::{outer_loops, walk_stmts, SpanId, StmtKind, TileStmt, ValueId};
use crate::lower::nest::reads_scalars;
use std::collections::BTreeSet;
use std::slice::from_ref;

/// Inserts the empty loops of one iteration. Returns true if there are any.
pub fn run(body: &mut Body) -> bool {
    let (mut stmts, loops) = (std::mem::take(&mut body.stmts), body.axes.len());
    list(body, &mut stmts);
    body.stmts = stmts;
    body.axes.len() > loops
}

/// Rewrites a list of statements that holds outermost tile loops, and the lists inside it.
fn list(body: &mut Body, stmts: &mut Vec<Stmt>) {
    let (mut out, mut between) = (Vec::with_capacity(stmts.len()), Vec::new());
    for mut s in std::mem::take(stmts) {
        if outer_loops(from_ref(&s)).is_empty() {
            between.push(s);
            continue;
        }
        if !matches!(s.kind, StmtKind::Do(TileStmt::Loop { .. })) {
            s.children_mut()
                .into_iter()
                .flatten()
                .for_each(|inner| list(body, inner));
        }
        read_first(body, std::mem::take(&mut between), &mut out);
        out.push(s);
    }
    read_first(body, between, &mut out);
    *stmts = out;
}

/// Moves reads among statements without tile loops to the front, with everything before them except
/// tiles that only later statements use.
fn read_first(body: &mut Body, mut stmts: Vec<Stmt>, out: &mut Vec<Stmt>) {
    let Some(last) = stmts.iter().rposition(|s| reads_scalars(from_ref(s))) else {
        return out.extend(stmts);
    };
    let (rest, span) = (stmts.split_off(last + 1), stmts[last].span);
    let mut needed = BTreeSet::new();
    let (mut first, mut later): (Vec<Stmt>, Vec<Stmt>) = stmts
        .into_iter()
        .rev()
        .partition(|s| is_first(body, s, &mut needed));
    first.reverse();
    later.reverse();
    out.append(&mut first);
    let nothing = nothing(body, span);
    out.push(nothing);
    out.extend(later.into_iter().chain(rest));
}

/// True if a statement keeps its place before the read. A tile that no read needs is made behind
/// the read, unless its content would be different there.
fn is_first(body: &Body, s: &Stmt, needed: &mut BTreeSet<ValueId>) -> bool {
    if let StmtKind::Do(TileStmt::Def { value, expr }) = &s.kind {
        if !changes(body, *value, expr, s) && !needed.contains(value) {
            return false;
        }
    }
    walk_stmts(from_ref(s), &mut |s| uses(s, needed));
    true
}

/// Makes a loop with one iteration and an empty body.
fn nothing(body: &mut Body, span: SpanId) -> Stmt {
    one_turn(
        body,
        &format!("read_{}", body.next_loop().0),
        Vec::new(),
        span,
    )
}
