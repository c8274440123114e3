//! Axes without indices: where tiles have one from end to end no turn is made, since its calls would have a count of 0. What a loop leaves that has
//! this axis has no elements then. What has not, and is no reduction along it, would be missing: the host refuses such a launch.

use super::require;
use super::Host;
use crate::ir::tile::Body;
use crate::ir::{walk_stmts, AxId, BinOp, Scalar, StmtKind, TileExpr, TileLoop, TileStmt, ValueId};
use crate::lower::gap::Made;
use crate::lower::nest;
use crate::lower::nest::{Loop, Nest};
use crate::ops::{BinaryOp, Op};
use std::collections::{BTreeMap, BTreeSet};

/// The indices of a loop, none where an axis of its tiles has none.
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
            format!("`{name}` has no indices: a loop whose tiles have it makes no turn, and what it merges over the cores would lack what is not reduced along `{name}`")
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

/// A number of turns or indices, 0 where one of the axes has no indices.
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
    // A range that is empty whatever the sizes are.
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

/// True of a number of indices that no text says to be one at least.
fn may_be_none(n: &Scalar) -> bool {
    n.as_int().is_none_or(|n| n == 0)
}

/// What a loop merges into values that outlive it.
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

    /// True where something would be missing if an axis had no indices, since no turn is made then.
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

    /// True where a merge joins what is nothing of a reduction along the axis.
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

    /// True where, without indices of the axis, a value is what changes nothing where it is joined: that of a reduction along it, or made of
    /// such values, those among them that are known to be.
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
        // What changes is nothing if it begins so and all that it becomes is made of nothing.
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
