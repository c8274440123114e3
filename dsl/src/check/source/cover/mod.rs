//! J0219: the stores of a tile kernel reach every element of an output.
//!
//! The check has three answers:
//!
//! 1. A store at all indices of each axis, in loops over just these, reaches all. `Glance` sees
//!    that without numbers, and most outputs have such a store.
//! 2. Otherwise `run` executes the stores element by element, for small shapes that the kernel
//!    allows (`check/source/small_shapes.rs`). An element that no store reaches proves the error.
//! 3. If no shape shows one, the output passes, and a run of the kernel tells (J0802).
//!
//! A number that is read from a tile cannot be computed here and may be anything. A store at such a
//! place reaches all, and an `if` on such a condition takes both arms. So a correct kernel is never
//! refused, and a kernel that stores by data is left to a run. The check also ignores an empty loop
//! that would only repeat a store.
//!
//! An output whose first access adds begins as zeros, and an output to which is appended depends on
//! data. Neither is judged. An optional output is judged only where it is given.

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

/// Statements and elements that are executed for one kernel, over all shapes.
const STEPS: usize = 200_000;

/// Checks that stores reach all elements of the outputs of a tile kernel.
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

/// False for an output that begins as zeros, or whose elements only a run knows.
fn is_judged(body: &Body, output: ParamId) -> bool {
    let mut appended = false;
    body.walk(&mut |s| appended |= matches!(&s.kind, StmtKind::Do(TileStmt::Append { to, .. }) if to.param() == Some(output)));
    !appended && !adds_first(&body.stmts, output.into())
}

/// Returns the access of a store that replaces elements of `output`.
fn stored(s: &Stmt, output: ParamId) -> Option<&Access> {
    let Some(TileStmt::Store { to, how, .. }) = s.own() else {
        return None;
    };
    (how.does().replaces() && to.param() == Some(output)).then_some(to)
}

fn first_store(body: &Body, output: ParamId) -> Option<SpanId> {
    let mut first = None;
    body.walk(&mut |s| first = first.or_else(|| stored(s, output).map(|_| s.span)));
    first
}

/// True if one store reaches all of an output, which needs no numbers to see.
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
            // A loop of scalars might have no iteration.
            StmtKind::For { .. }
            | StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::Promise { .. } => false,
        })
    }

    /// True if the store covers all indices of each axis, and each loop around is over one of them.
    /// A loop over another axis might have no iteration.
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

    /// Returns the construct that goes through all indices of an axis.
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

/// A loop or a whole axis of a store, which goes through all indices.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Loop(VarId),
    Axis(AxId),
}

/// Visits the scalars of the stores to an output, and of all statements around them.
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
