//! Scalars that are read of tiles outside of tile loops, as phases of their own.
//!
//! Every core reads for itself, and all read the same: what stands before a loop all cores do. So behind the last of some reads that follow one
//! another stands a loop of one turn in which nothing is done, and what is before it is a phase (`phases::control`): all blocks meet before it where
//! another block wrote what it loads, and its tiles have memory of their own. The loop that takes the scalars is a phase like any other.
//!
//! A pass of the tile dialect.

use super::init_accumulators::one_turn;
use super::share_common::changes;
use crate::ir::tile::{Body, Stmt};
use crate::ir::uses;
use crate::ir::{outer_loops, walk_stmts, SpanId, StmtKind, TileStmt, ValueId};
use crate::lower::nest::reads_scalars;
use std::collections::BTreeSet;
use std::slice::from_ref;

/// Puts the loops of one turn into a body; true where there are some.
pub fn run(body: &mut Body) -> bool {
    let (mut stmts, loops) = (std::mem::take(&mut body.stmts), body.axes.len());
    list(body, &mut stmts);
    body.stmts = stmts;
    body.axes.len() > loops
}

/// Lists of statements that hold outermost tile loops, and what stands between these.
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

/// What is read among statements without tile loops, with all that stands before it but tiles that only others need.
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

/// True for what stands where it is written: a tile that nothing before the loop needs is made behind that, unless it is another one there.
fn is_first(body: &Body, s: &Stmt, needed: &mut BTreeSet<ValueId>) -> bool {
    if let StmtKind::Do(TileStmt::Def { value, expr }) = &s.kind {
        if !changes(body, *value, expr, s) && !needed.contains(value) {
            return false;
        }
    }
    walk_stmts(from_ref(s), &mut |s| uses(s, needed));
    true
}

/// A loop of one turn in which nothing is done.
fn nothing(body: &mut Body, span: SpanId) -> Stmt {
    one_turn(
        body,
        &format!("read_{}", body.next_loop().0),
        Vec::new(),
        span,
    )
}
