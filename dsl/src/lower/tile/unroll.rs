//! Writes out loops of a few iterations whose loads are windows of one tensor.
//!
//! The loads then stand in one list, and `merge_windows` makes one load of several. The number of
//! iterations must be a number of the text.
//!
//! - The iterations keep their order, so nothing is rounded otherwise.
//! - Loads come first afterwards, as in any list.
//! - One load of all windows leaves a tile fewer rows than a load for each iteration did. So this
//!   is done only where a loop cuts lanes as well, and a smaller tile can be found.

use super::loads_first;
use super::merge_windows::{own, windows, Facts};
use super::stream::rename;
use crate::ir::names::unique;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    walk_stmts, AxFrom, RunSize, Scalar, StmtKind, TileStmt, ValueDecl, ValueId, VarId,
};
use crate::lower::nest::Nest;
use std::collections::BTreeMap;

/// The largest number of iterations that are written out.
const MOST_TURNS: i64 = 8;

/// The largest number of statements that a loop may become.
const MOST_STATEMENTS: usize = 128;

/// Writes out loops whose loads are windows. Returns true if there were any.
pub fn run(body: &mut Body, nest: &Nest) -> bool {
    let facts = Facts::of(body);
    let mut stmts = std::mem::take(&mut body.stmts);
    let any = !facts.compares && list(&facts, nest, body, &mut stmts);
    body.stmts = stmts;
    any
}

fn list(facts: &Facts, nest: &Nest, body: &mut Body, stmts: &mut Vec<Stmt>) -> bool {
    let (mut any, mut out) = (false, Vec::with_capacity(stmts.len()));
    let mut here = false;
    for mut s in std::mem::take(stmts) {
        let values = body.values.len();
        match turns(body, &s).filter(|turns| pays(facts, nest, body, turns)) {
            Some(turns) => {
                out.extend(turns);
                here = true;
            }
            None => {
                body.values.truncate(values);
                for inner in s.children_mut().into_iter().flatten() {
                    any |= list(facts, nest, body, inner);
                }
                out.push(s);
            }
        }
    }
    if here {
        loads_first::run(&mut out);
    }
    *stmts = out;
    any || here
}

/// True if loads of different iterations are windows that one load can replace.
fn pays(facts: &Facts, nest: &Nest, body: &Body, turns: &[Stmt]) -> bool {
    let mut facts = facts.clone();
    own(turns, &mut facts.own);
    let cut = |value: ValueId| {
        nest.sides(&body.values[value.index()].axes)
            .1
            .is_some_and(|lanes| facts.runs.contains(&lanes))
    };
    windows(&facts, nest, body, turns)
        .iter()
        .any(|class| class.spread().is_some() && cut(class.windows[0].load.value))
}

/// Returns the iterations of a loop one after the other, each with its own names. `None` if the
/// loop cannot be written out.
fn turns(body: &mut Body, s: &Stmt) -> Option<Vec<Stmt>> {
    let (var, from, to, inside) = counted(body, s)?;
    let mut one = Vec::new();
    for s in inside {
        match &s.kind {
            StmtKind::Do(TileStmt::Def { .. } | TileStmt::Set { .. } | TileStmt::Store { .. }) => {
                one.push(s.clone())
            }
            StmtKind::For { .. } | StmtKind::Do(TileStmt::Loop { .. }) => {
                one.extend(turns(body, s)?)
            }
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::If { .. }
            | StmtKind::Promise { .. } => return None,
            StmtKind::Do(
                TileStmt::Append { .. } | TileStmt::Read { .. } | TileStmt::Dump { .. },
            ) => return None,
        }
    }
    let count = to
        .checked_sub(from)
        .filter(|n| (2..=MOST_TURNS).contains(n))?;
    let all = usize::try_from(count).ok()?.checked_mul(one.len())?;
    if all > MOST_STATEMENTS {
        return None;
    }
    Some(
        (from..to)
            .flat_map(|turn| renamed(body, one.clone(), var, turn))
            .collect(),
    )
}

/// Returns the variable, first number, end and body of a loop over numbers of the text.
fn counted<'s>(body: &Body, s: &'s Stmt) -> Option<(VarId, i64, i64, &'s [Stmt])> {
    match &s.kind {
        StmtKind::For {
            var,
            from,
            to,
            body,
        } => Some((*var, from.as_int()?, to.as_int()?, body)),
        StmtKind::Do(TileStmt::Loop { tile }) => {
            let [spec] = &tile.specs[..] else { return None };
            let AxFrom::Whole { extent } = &body.axes[spec.of.index()].from else {
                return None;
            };
            let one_by_one = spec.size == RunSize::Each {} && spec.length.is_none();
            Some((
                spec.start,
                0,
                extent.as_int().filter(|_| one_by_one)?,
                &tile.body,
            ))
        }
        StmtKind::LetScalar { .. }
        | StmtKind::SetScalar { .. }
        | StmtKind::If { .. }
        | StmtKind::Promise { .. } => None,
        StmtKind::Do(
            TileStmt::Def { .. }
            | TileStmt::Set { .. }
            | TileStmt::Store { .. }
            | TileStmt::Append { .. }
            | TileStmt::Read { .. }
            | TileStmt::Dump { .. },
        ) => None,
    }
}

/// Returns the statements of one iteration, with new names for their definitions.
fn renamed(body: &mut Body, mut stmts: Vec<Stmt>, var: VarId, turn: i64) -> Vec<Stmt> {
    let mut names = BTreeMap::new();
    walk_stmts(&stmts, &mut |s| {
        if let StmtKind::Do(TileStmt::Def { value, .. }) = &s.kind {
            let decl = body.values[value.index()].clone();
            let name = unique(&decl.name, |name| {
                body.values.iter().any(|v| v.name == name)
            });
            names.insert(*value, body.add_value(ValueDecl { name, ..decl }));
        }
    });
    let number = |n: &Scalar| (*n == Scalar::Var(var)).then_some(Scalar::Int(turn));
    stmts
        .iter_mut()
        .for_each(|s| s.scalars_mut(&mut |scalar| *scalar = scalar.replace(&number)));
    rename(&mut stmts, &names);
    stmts
}
