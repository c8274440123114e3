//! J0219: the stores of a tile kernel reach every element of an output.
//!
//! Three answers. A store at all indices of each axis, in loops over just these, reaches all: that is seen at a glance, and most outputs
//! have one. Of the others the kernel's stores are run for some small shapes that it allows (`check/source/small_shapes.rs`), element by element (`run`): one that
//! no store reaches there is the proof of an error, and is named. Where no shape shows one, the output passes, and a run tells (J0802).
//!
//! What cannot be computed here, a number that is read of a tile, may be anything: stores at such places reach all, and of an `if` by such a
//! condition both arms are taken. So a right kernel is never refused, and one that stores by data is left to a run, as is what a loop leaves
//! out that only repeats a store and makes no turn.
//!
//! An output to which is added first begins as zeros, and of one to which is appended nobody knows what is reached: neither is judged. One that
//! may be left out is judged where it is given.

mod run;
mod words;

use super::small_shapes::{shapes, sized};
use crate::diag::Diagnostic;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    adds_first, walk_stmts, Access, AxFrom, AxId, Index, Kernel, ParamId, Role, Scalar, Signature,
    SpanId, StmtKind, TileLoop, TileStmt, VarId,
};
use crate::soc::Chip;
use crate::tiling::Value;
use run::{Execution, Stop};
use std::collections::BTreeSet;

/// Statements and elements that are looked at for one kernel, over all shapes.
const STEPS: usize = 200_000;

/// Checks that the outputs of a tile kernel are wholly stored to.
pub fn check_cover(kernel: &Kernel, body: &Body, chip: &Chip, found: &mut Vec<Diagnostic>) {
    let outputs = kernel
        .sig
        .tensors()
        .filter(|(_, _, role, _)| *role == Role::Out)
        .map(|(id, ..)| id);
    let mut open: Vec<ParamId> = outputs
        .filter(|id| is_judged(body, *id) && !is_wholly_stored(body, *id))
        .collect();
    if open.is_empty() {
        return;
    }
    let (kernel, mut steps) = (sized(kernel), STEPS);
    let Some(body) = kernel.tiles() else { return };
    for shape in shapes(&kernel, chip) {
        let is_given = |id: &ParamId| {
            !kernel.sig.is_optional(*id) || shape.attrs[id.index()] == Some(Value::Bool(true))
        };
        let due: Vec<ParamId> = open.iter().copied().filter(is_given).collect();
        if due.is_empty() {
            continue;
        }
        match Execution::of(&kernel.sig, body, &shape, chip, &due, &mut steps) {
            Ok(gaps) => {
                open.retain(|id| gaps.iter().all(|gap| gap.of != *id));
                found.extend(
                    gaps.iter()
                        .map(|gap| words::gap(&kernel, body, &shape, chip, gap)),
                );
            }
            Err(Stop::NoLaunch | Stop::Large) => {}
        }
        if open.is_empty() {
            return;
        }
    }
}

/// False for an output that begins as zeros, or of which only a run tells what is reached.
fn is_judged(body: &Body, output: ParamId) -> bool {
    let mut appended = false;
    body.walk(&mut |s| appended |= matches!(&s.kind, StmtKind::Do(TileStmt::Append { to, .. }) if to.param() == Some(output)));
    !appended && !adds_first(&body.stmts, output.into())
}

/// A store that takes the place of what is there.
fn stored(s: &Stmt, output: ParamId) -> Option<&Access> {
    let Some(TileStmt::Store { to, how, .. }) = s.own() else {
        return None;
    };
    (how.does().replaces() && to.param() == Some(output)).then_some(to)
}

/// The first store to an output.
fn first_store(body: &Body, output: ParamId) -> Option<SpanId> {
    let mut first = None;
    body.walk(&mut |s| first = first.or_else(|| stored(s, output).map(|_| s.span)));
    first
}

/// True where one store reaches all of an output, which is seen without numbers.
fn is_wholly_stored(body: &Body, output: ParamId) -> bool {
    let mut glance = Glance {
        body,
        output,
        around: Vec::new(),
    };
    glance.list(&body.stmts)
}

struct Glance<'a> {
    body: &'a Body,
    output: ParamId,
    around: Vec<&'a TileLoop>,
}

impl<'a> Glance<'a> {
    fn list(&mut self, stmts: &'a [Stmt]) -> bool {
        stmts.iter().any(|s| match &s.kind {
            StmtKind::Do(TileStmt::Loop { tile }) => {
                self.around.push(tile);
                let found = self.list(&tile.body);
                self.around.pop();
                found
            }
            StmtKind::If { cond, then, .. } => {
                *cond == Signature::given(self.output) && self.list(then)
            }
            StmtKind::Do(_) => stored(s, self.output).is_some_and(|to| self.is_all(to)),
            // A loop of scalars might make no turn.
            StmtKind::For { .. }
            | StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::Promise { .. } => false,
        })
    }

    /// All indices of each axis, and no loop around that has another axis: it might make no turn.
    fn is_all(&self, to: &Access) -> bool {
        let mut moved = BTreeSet::new();
        let all = to
            .index
            .iter()
            .zip(&to.dims)
            .all(|(index, dim)| self.moves(index, dim).is_some_and(|by| moved.insert(by)));
        let specs = self.around.iter().flat_map(|tile| &tile.specs);
        all && { specs }.all(|spec| moved.contains(&By::Loop(spec.start)))
    }

    /// What goes through all indices of an axis, where something does.
    fn moves(&self, index: &Index, dim: &Scalar) -> Option<By> {
        let is_whole = |ax: AxId| matches!(&self.body.axes[ax.index()].from, AxFrom::Whole { extent } if extent == dim);
        let mut specs = self.around.iter().flat_map(|tile| &tile.specs);
        match (&index.terms[..], &index.ids) {
            ([], None) => {
                let spec = specs
                    .find(|spec| spec.size.is_each() && index.offset == Scalar::Var(spec.start))?;
                is_whole(spec.of).then_some(By::Loop(spec.start))
            }
            ([term], None) if term.factor == Scalar::Int(1) => {
                match specs.find(|spec| spec.ax == term.ax) {
                    Some(spec) => (index.offset == Scalar::Var(spec.start) && is_whole(spec.of))
                        .then_some(By::Loop(spec.start)),
                    None => (index.offset == Scalar::Int(0) && is_whole(term.ax))
                        .then_some(By::Axis(term.ax)),
                }
            }
            _ => None,
        }
    }
}

/// What goes through all indices of an axis: a loop, or a store of whole axes.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Loop(VarId),
    Axis(AxId),
}

/// The scalars of all statements on the way to stores to an output, and of these.
fn scalars_around(body: &Body, output: ParamId, f: &mut impl FnMut(&Scalar)) {
    for s in &body.stmts {
        scalars_on_the_way(body, s, output, f);
    }
}

fn scalars_on_the_way(body: &Body, s: &Stmt, output: ParamId, f: &mut impl FnMut(&Scalar)) {
    let mut stores = false;
    walk_stmts(std::slice::from_ref(s), &mut |s| {
        stores |= stored(s, output).is_some()
    });
    if !stores {
        return;
    }
    s.scalars(&mut |scalar| f(scalar));
    if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
        for spec in &tile.specs {
            if let AxFrom::Whole { extent } = &body.axes[spec.of.index()].from {
                f(extent);
            }
        }
    }
    s.children()
        .into_iter()
        .flatten()
        .flatten()
        .for_each(|inner| scalars_on_the_way(body, inner, output, f));
}
