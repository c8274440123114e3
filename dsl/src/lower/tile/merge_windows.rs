//! Loads windows of one tensor that differ by whole steps along rows at once.
//!
//! `x.at(r + 0, t)`, `x.at(r + 1, t)` and `x.at(r + 2, t)` become parts of one load, which has two
//! rows more than the run of `r`.
//!
//! Windows whose rows lie `s` apart, `x.at(r * s + k, ..)`, fall into classes: the `k` of one class
//! differ by multiples of `s`, so row `r` of one window is row `r + 1` of another. Each class is
//! one load, over an axis with some more indices than the run ([`AxFrom::Hull`]). Each window is a
//! `pick` of consecutive rows of it. They lie in UB as the window would, so nothing is copied
//! (`part_of`).
//!
//! This is the last pass of the tile dialect, so that no other pass knows hulls:
//!
//! - equal loads are one already (`share_common`);
//! - invariant loads stand before the loop (`hoist`);
//! - the loads of a list stand together (`loads_first`);
//! - the passes of a streamed form, which repeat and cut loads, exist (`stream`).
//!
//! Left as they are:
//!
//! - windows along lanes: a slice of lanes begins anywhere in a data block and would be gathered,
//!   which takes longer than another copy;
//! - tiles with other axes of rows, whose windows are not contiguous;
//! - tensors that the kernel stores to;
//! - loads that are reduced, since a reduction fills the padding of rows;
//! - kernels that compare, since a compare reads whole repeats;
//! - windows further apart than their number, whose hull could have more rows than they have
//!   together.

use crate::ir::linear::Linear;
use crate::ir::names::unique;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    walk_stmts, Access, AxDecl, AxFrom, AxId, Axes, Chosen, Index, Scalar, StmtKind, TensorRef,
    Term, TileExpr, TileStmt, Ty, ValueDecl, ValueId, VarId,
};
use crate::lower::body::loads::Load;
use crate::lower::nest;
use crate::lower::nest::stored;
use crate::lower::nest::Nest;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of rows of a hull beyond its run.
const MOST_BEYOND: i64 = 64;

/// The largest given run of rows: with those of a hull it is one copy.
const MOST_GIVEN: i64 = 1024;

/// Merges loads of windows. Returns true if there were any.
pub fn run(body: &mut Body, nest: &Nest) -> bool {
    let facts = Facts::of(body);
    if facts.compares {
        return false;
    }
    let mut stmts = std::mem::take(&mut body.stmts);
    let before = body.axes.len();
    list(&facts, nest, body, &mut stmts);
    body.stmts = stmts;
    body.axes.len() > before
}

/// Facts about a body that decide which loads may be merged.
#[derive(Clone)]
pub(super) struct Facts {
    stored: BTreeSet<TensorRef>,
    /// Axes of runs whose rows, with those of a hull, fit in one copy.
    pub(super) runs: BTreeSet<AxId>,
    /// Values that need memory of their own, or that other copies depend on.
    pub(super) own: BTreeSet<ValueId>,
    pub(super) compares: bool,
}

/// Adds the values that need memory of their own, or that other copies depend on.
pub(super) fn own(stmts: &[Stmt], found: &mut BTreeSet<ValueId>) {
    walk_stmts(stmts, &mut |s| {
        found.extend(
            s.access()
                .into_iter()
                .flat_map(Access::ids)
                .map(|ids| ids.value),
        );
        if let StmtKind::Do(TileStmt::Def {
            expr: expr @ TileExpr::Reduce { .. },
            ..
        }) = &s.kind
        {
            found.extend(expr.operands());
        }
    });
}

impl Facts {
    pub(super) fn of(body: &Body) -> Facts {
        let mut facts = Facts {
            stored: stored(&body.stmts),
            runs: BTreeSet::new(),
            own: BTreeSet::new(),
            compares: false,
        };
        own(&body.stmts, &mut facts.own);
        body.walk(&mut |s| {
            if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
                let short = |given: Option<&Scalar>| {
                    given.is_none_or(|n| n.as_int().is_some_and(|n| n <= MOST_GIVEN))
                };
                let runs = tile
                    .specs
                    .iter()
                    .filter(|spec| !spec.size.is_each() && short(spec.size.given()));
                facts.runs.extend(runs.map(|spec| spec.ax));
            }
            if let StmtKind::Do(TileStmt::Def { value, .. }) = &s.kind {
                facts.compares |= body.values[value.index()].dtype == Ty::Mask;
            }
        });
        facts
    }
}

/// A load that may be part of another one.
pub(super) struct Window<'s> {
    /// Its position in its list.
    at: usize,
    pub(super) load: Load<'s>,
    /// The position of the index that moves along rows, with its axis `row` and its `step`.
    nth: usize,
    row: AxId,
    step: i64,
    /// The number of rows behind the first window of its class.
    from: i64,
}

impl<'s> Window<'s> {
    fn of(facts: &Facts, nest: &Nest, body: &Body, at: usize, s: &'s Stmt) -> Option<Window<'s>> {
        let load = Load::of(s)?;
        let from = load.from;
        let decl = &body.values[load.value.index()];
        let mut changes = decl.mutable || from.ids().next().is_some();
        // Variables of the host for a phase are not in `body.vars`, and do not change.
        let set = |v: &VarId| body.vars.get(v.index()).is_some_and(|decl| decl.mutable);
        s.scalars(&mut |e| e.walk(&mut |n| changes |= matches!(n, Scalar::Var(v) if set(v))));
        let is_plain = !facts.stored.contains(&from.of)
            && nest.turned(from).is_none()
            && !nest::is_single(from);
        if changes || !is_plain || facts.own.contains(&load.value) {
            return None;
        }
        let (rows, Some(_)) = nest.sides(&decl.axes) else {
            return None;
        };
        let row = *rows
            .first()
            .filter(|ax| rows.len() == 1 && facts.runs.contains(ax))?;
        let nth = from
            .index
            .iter()
            .position(|index| index.terms.iter().any(|term| term.ax == row))?;
        let [Term {
            factor: Scalar::Int(step),
            ..
        }] = from.index[nth].terms[..]
        else {
            return None;
        };
        (step > 0).then_some(Window {
            at,
            load,
            nth,
            row,
            step,
            from: 0,
        })
    }

    /// Returns the number of rows by which another window lies behind this one; `None` if they
    /// differ in anything else.
    fn to(&self, other: &Window<'_>, body: &Body) -> Option<i64> {
        let (own, its) = (self.load.from, other.load.from);
        let ty = |load: &Load<'_>| body.values[load.value.index()].dtype;
        let alike = (
            own.of,
            &own.dims,
            self.nth,
            self.row,
            self.step,
            self.load.outside,
            ty(&self.load),
        ) == (
            its.of,
            &its.dims,
            other.nth,
            other.row,
            other.step,
            other.load.outside,
            ty(&other.load),
        );
        let beside = |access: &Access| {
            access
                .index
                .iter()
                .enumerate()
                .filter(|(nth, _)| *nth != self.nth)
                .map(|(_, i)| i.clone())
                .collect::<Vec<_>>()
        };
        if !alike || beside(own) != beside(its) {
            return None;
        }
        let mut apart = Linear::of(&its.index[self.nth].offset);
        apart.add(&Linear::of(&own.index[self.nth].offset), -1)?;
        (apart.terms.is_empty() && apart.constant % self.step == 0)
            .then_some(apart.constant / self.step)
    }
}

/// Windows that one load may replace, in the order of their list.
pub(super) struct Class<'s> {
    pub(super) windows: Vec<Window<'s>>,
}

impl Class<'_> {
    /// Returns the first of their rows, and the number of rows from there to the last window.
    /// `None` if one load would have no fewer rows than all windows.
    pub(super) fn spread(&self) -> Option<(i64, i64)> {
        let distinct: BTreeSet<i64> = self.windows.iter().map(|window| window.from).collect();
        let (first, last) = (*distinct.first()?, *distinct.last()?);
        let more = last.checked_sub(first)?;
        // Never more rows than the windows have together, even if a run has only one row.
        (1..=MOST_BEYOND)
            .contains(&more)
            .then_some((first, more))
            .filter(|_| more < distinct.len() as i64)
    }
}

/// Merges the windows of a list, and of the lists inside it.
fn list(facts: &Facts, nest: &Nest, body: &mut Body, stmts: &mut Vec<Stmt>) {
    for s in stmts.iter_mut() {
        s.children_mut()
            .into_iter()
            .flatten()
            .for_each(|inner| list(facts, nest, body, inner));
    }
    let mut changed: BTreeMap<usize, [Option<Stmt>; 2]> = BTreeMap::new();
    for class in windows(facts, nest, body, stmts) {
        let Some((first, more)) = class.spread() else {
            continue;
        };
        let (value, along, load) = loaded(body, &class.windows[0], first, more);
        let mut load = Some(load);
        for window in &class.windows {
            let index = Index::along(window.row, window.from - first);
            let expr = TileExpr::Pick {
                value,
                along,
                at: Chosen::Index { index },
            };
            let kind = StmtKind::Do(TileStmt::Def {
                value: window.load.value,
                expr,
            });
            changed.insert(
                window.at,
                [
                    load.take(),
                    Some(Stmt {
                        kind,
                        span: window.load.span,
                    }),
                ],
            );
        }
    }
    if !changed.is_empty() {
        *stmts = placed(std::mem::take(stmts), changed);
    }
}

/// Groups the windows of a list into classes, in their order.
pub(super) fn windows<'s>(
    facts: &Facts,
    nest: &Nest,
    body: &Body,
    stmts: &'s [Stmt],
) -> Vec<Class<'s>> {
    let mut classes: Vec<Class<'s>> = Vec::new();
    for mut window in stmts
        .iter()
        .enumerate()
        .filter_map(|(at, s)| Window::of(facts, nest, body, at, s))
    {
        let own = classes
            .iter_mut()
            .find_map(|class| Some((class.windows[0].to(&window, body)?, class)));
        match own {
            Some((from, class)) => {
                window.from = from;
                class.windows.push(window);
            }
            None => classes.push(Class {
                windows: vec![window],
            }),
        }
    }
    classes
}

/// Makes the load of a class, from row `first` on and with `more` rows beyond the run. Returns its
/// value and its row axis.
fn loaded(body: &mut Body, window: &Window<'_>, first: i64, more: i64) -> (ValueId, AxId, Stmt) {
    let Load {
        value,
        from,
        outside,
        span,
    } = window.load;
    let name = format!("{}_hull", body.axes[window.row.index()].name);
    let along = body.add_axis(AxDecl {
        name,
        from: AxFrom::Hull {
            of: window.row,
            more,
        },
    });
    let decl = &body.values[value.index()];
    let axes: Axes = decl.axes.replaced(window.row, along).iter().collect();
    let name = unique(&format!("{}_hull", decl.name), |name| {
        body.values.iter().any(|v| v.name == name)
    });
    let hull = body.add_value(ValueDecl {
        name,
        dtype: decl.dtype,
        axes,
        mutable: false,
    });
    let mut from = from.clone();
    let index = &mut from.index[window.nth];
    index.terms[0].ax = along;
    index.offset = index.offset.clone() + first * window.step;
    let expr = match outside {
        Some(outside) => TileExpr::LoadOr {
            from,
            outside: outside.clone(),
        },
        None => TileExpr::Load { from },
    };
    (
        hull,
        along,
        Stmt {
            kind: StmtKind::Do(TileStmt::Def { value: hull, expr }),
            span,
        },
    )
}

/// Puts the load of a class where its first window stood. The windows follow behind the loads
/// there, so that loads stay together.
fn placed(stmts: Vec<Stmt>, mut changed: BTreeMap<usize, [Option<Stmt>; 2]>) -> Vec<Stmt> {
    let (mut out, mut windows) = (Vec::with_capacity(stmts.len()), Vec::new());
    for (at, s) in stmts.into_iter().enumerate() {
        match changed.remove(&at) {
            Some([load, window]) => {
                out.extend(load);
                windows.extend(window);
            }
            None => {
                if Load::of(&s).is_none() {
                    out.append(&mut windows);
                }
                out.push(s);
            }
        }
    }
    out.append(&mut windows);
    out
}
