//! Axes without indices.
//!
//! If a whole axis of the tiles is empty, the loop makes no iteration, since its calls would have a
//! count of 0. Outputs with this axis have no elements then. Outputs without it would be missing,
//! unless they are reductions along it; the host refuses such a launch.

use super::require;
use super::Host;
use crate::ir::tile::Body;
use crate::ir::{walk_stmts, AxId, BinOp, Scalar, StmtKind, TileExpr, TileLoop, TileStmt, ValueId};
use crate::lower::gap::Made;
use crate::lower::nest;
use crate::lower::nest::{Loop, Nest};
use crate::ops::{BinaryOp, Op};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the number of indices of a loop; 0 if an axis of its tiles has none.
pub(super) fn not_empty(
    host: &mut Host<'_>,
    Loop { body, nest }: Loop<'_>,
    extents: &BTreeMap<AxId, Scalar>,
    total: Scalar,
) -> Made<Scalar> {
    let outer = nest::outer(body)?;
    let (accesses, merges) = (nest::accesses(&outer.body), Merges::of(body, nest, outer));
    let axes: BTreeSet<AxId> = nest.sized().chain(nest.row_of_loops()).collect();
    for of in axes.iter().copied() {
        let Some(n) = extents.get(&of).filter(|n| may_be_none(n)) else {
            continue;
        };
        let name = &body.axes[of.index()].name;
        let stored = accesses.iter().any(|(access, does)| {
            does.stores() && !access.axes().iter().any(|ax| nest.whole(ax) == of)
        });
        let why = if stored || nest::reads_scalars(nest::before(body)) {
            format!("`{name}` has no indices: nothing can be reduced along it")
        } else if merges.lack(of) {
            format!("`{name}` has no indices: a loop whose tiles have it makes no iteration, and what it merges over the cores would lack what is not reduced along `{name}`")
        } else {
            continue;
        };
        let cond = n
            .clone()
            .bin(BinOp::Gt, 0)
            .bin(BinOp::Or, total.clone().bin(BinOp::Eq, 0));
        host.steps.push(require(cond, why));
    }
    Ok(without(axes, extents, total))
}

/// Returns a number of iterations or indices; 0 if one of the axes has no indices.
pub(super) fn without(
    axes: BTreeSet<AxId>,
    extents: &BTreeMap<AxId, Scalar>,
    total: Scalar,
) -> Scalar {
    let open: Vec<&Scalar> = axes
        .into_iter()
        .filter_map(|of| extents.get(&of))
        .filter(|n| may_be_none(n))
        .collect();
    // A range may be empty for all sizes.
    if open.iter().any(|n| n.as_int().is_some()) {
        return Scalar::Int(0);
    }
    let none = open
        .into_iter()
        .map(|n| n.clone().bin(BinOp::Eq, 0))
        .reduce(|a, b| a.bin(BinOp::Or, b));
    none.map_or(total.clone(), |none| {
        Scalar::select(none, Scalar::Int(0), total)
    })
}

/// True for an extent that may be 0.
fn may_be_none(n: &Scalar) -> bool {
    n.as_int().is_none_or(|n| n == 0)
}

/// The values that outlive a loop, with the definitions that it merges into them.
struct Merges<'b> {
    body: &'b Body,
    nest: &'b Nest,
    defs: BTreeMap<ValueId, &'b TileExpr>,
    sets: Vec<(ValueId, ValueId)>,
}

impl<'b> Merges<'b> {
    fn of(body: &'b Body, nest: &'b Nest, outer: &'b TileLoop) -> Merges<'b> {
        let (mut defs, mut sets) = (BTreeMap::new(), Vec::new());
        walk_stmts(&outer.body, &mut |s| {
            if let StmtKind::Do(TileStmt::Def { value, expr }) = &s.kind {
                defs.insert(*value, expr);
            }
            if let StmtKind::Do(TileStmt::Set { value, from }) = &s.kind {
                sets.push((*value, *from));
            }
        });
        Merges {
            body,
            nest,
            defs,
            sets,
        }
    }

    /// True if a result would be missing if an axis had no indices and no iteration ran.
    fn lack(&self, of: AxId) -> bool {
        let outlives = |value: ValueId| !self.defs.contains_key(&value) && !self.has(value, of);
        self.sets
            .iter()
            .any(|(value, from)| outlives(*value) && !self.changes_nothing(*value, *from, of))
    }

    fn has(&self, value: ValueId, of: AxId) -> bool {
        self.body.values[value.index()]
            .axes
            .iter()
            .any(|ax| self.nest.whole(ax) == of)
    }

    /// True if a merge changes nothing because the merged value is neutral without indices of the
    /// axis.
    fn changes_nothing(&self, value: ValueId, from: ValueId, of: AxId) -> bool {
        let known = BTreeSet::from([value]);
        let by = |step: BinaryOp| self.is_nothing(from, step, of, &known);
        match self.defs.get(&from) {
            Some(TileExpr::Op {
                op: Op::Binary(step),
                ..
            }) => by(*step),
            Some(TileExpr::Reduce {
                op, onto: Some(_), ..
            }) => op.step().is_some_and(by),
            _ => false,
        }
    }

    /// True if a value is neutral for `step` when the axis has no indices: a reduction along it, or
    /// an expression of such values. `known` has values that are assumed to be neutral.
    fn is_nothing(
        &self,
        value: ValueId,
        step: BinaryOp,
        of: AxId,
        known: &BTreeSet<ValueId>,
    ) -> bool {
        if known.contains(&value) {
            return true;
        }
        let is =
            |value: ValueId, known: &BTreeSet<ValueId>| self.is_nothing(value, step, of, known);
        let Some(expr) = self.defs.get(&value) else {
            return false;
        };
        // A mutable value is neutral if it begins so and is set to neutral values alone.
        let known = &match self.body.values[value.index()].mutable {
            true => known.iter().copied().chain([value]).collect(),
            false => known.clone(),
        };
        let begins = match expr {
            TileExpr::Reduce {
                op,
                value,
                over,
                onto,
            } => {
                let along = over.iter().any(|ax| self.nest.whole(ax) == of) || is(*value, known);
                op.step() == Some(step) && along && onto.is_none_or(|onto| is(onto, known))
            }
            TileExpr::Op {
                op: Op::Binary(by),
                args,
            } => {
                *by == step
                    && args
                        .iter()
                        .all(|arg| arg.value().is_some_and(|value| is(value, known)))
            }
            TileExpr::Copy { value } => is(*value, known),
            TileExpr::Cast { value, .. } => step == BinaryOp::Add && is(*value, known),
            TileExpr::Fill { value } => step == BinaryOp::Add && is_zero(value),
            TileExpr::Op { .. }
            | TileExpr::Load { .. }
            | TileExpr::LoadOr { .. }
            | TileExpr::Iota { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. }
            | TileExpr::Truncate { .. }
            | TileExpr::Round { .. }
            | TileExpr::Pick { .. }
            | TileExpr::Top { .. }
            | TileExpr::Scan { .. } => false,
        };
        begins
            && self
                .sets
                .iter()
                .filter(|(to, _)| *to == value)
                .all(|(_, from)| is(*from, known))
    }
}

fn is_zero(value: &Scalar) -> bool {
    matches!(value, Scalar::Int(0) | Scalar::I32(0))
        || matches!(value, Scalar::Float(v) if *v == 0.0)
}
