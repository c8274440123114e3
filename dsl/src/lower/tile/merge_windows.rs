//! Windows of one tensor that differ by whole steps along rows are loaded once: `x.at(r + 0, t)`, `x.at(r + 1, t)` and `x.at(r + 2, t)` are
//! parts of one load that goes two rows beyond the run of `r`.
//!
//! Of windows whose rows lie `s` apart, `x.at(r * s + k, ..)`, those whose numbers `k` differ by multiples of `s` are one class: row `r` of one of
//! them is row `r + 1` of another. So each class is a load of its own, over an axis that has some more indices than the run ([`AxFrom::Hull`]), and
//! each window is a choice of as many of its rows as the run has, one behind the other. These lie in UB as the window would: nothing is copied
//! there (`pick`, `part_of`).
//!
//! It is the last pass of the tile dialect. Equal loads are one by then (`share_common`), what does not move stands before the loop (`hoist`), loads of a list
//! stand together (`loads_first`), and the passes of a streamed form, which cut loads and repeat them, are made (`stream`): none of them need know
//! of hulls.
//!
//! Left as they are: windows along lanes, since a slice of lanes begins anywhere in a data block and would be gathered, which takes longer than another copy;
//! tiles with other axes of rows, whose windows do not lie in one piece; tensors that the kernel stores to; what is reduced, since a reduction fills
//! what lies behind rows; kernels that compare, since a compare reads whole repeats; and windows that lie further apart than there are of them, whose hull could be larger than
//! they are together.

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

/// Most rows by which a hull goes beyond a run.
const MOST_BEYOND: i64 = 64;

/// Most rows of a run that the author gives: with those beyond it they are one copy.
const MOST_GIVEN: i64 = 1024;

/// Loads windows of one tensor at once; true where there are some.
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

/// What decides over the loads of a body.
#[derive(Clone)]
pub(super) struct Facts {
    stored: BTreeSet<TensorRef>,
    /// Axes of runs whose rows, with those of a hull, are no more than one copy takes.
    pub(super) runs: BTreeSet<AxId>,
    /// Values that are to lie in memory of their own, or that other copies hang from.
    pub(super) own: BTreeSet<ValueId>,
    pub(super) compares: bool,
}

/// Adds the values that are to lie in memory of their own, or that other copies hang from.
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
    /// Where it stands in its list.
    at: usize,
    pub(super) load: Load<'s>,
    /// Which index moves along rows, and with which axis and step.
    nth: usize,
    row: AxId,
    step: i64,
    /// Rows from the first one of its class.
    from: i64,
}

impl<'s> Window<'s> {
    fn of(facts: &Facts, nest: &Nest, body: &Body, at: usize, s: &'s Stmt) -> Option<Window<'s>> {
        let load = Load::of(s)?;
        let from = load.from;
        let decl = &body.values[load.value.index()];
        let mut changes = decl.mutable || from.ids().next().is_some();
        // What the host has named for a phase is none of the body's, and does not change.
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

    /// By how many rows another window lies behind this one, where all else is alike.
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

/// Windows of which one load may take the place, in the order of their list.
pub(super) struct Class<'s> {
    pub(super) windows: Vec<Window<'s>>,
}

impl Class<'_> {
    /// The first of their rows, and by how many rows the last window lies behind the first one; `None` where one load would not be less than all.
    pub(super) fn spread(&self) -> Option<(i64, i64)> {
        let distinct: BTreeSet<i64> = self.windows.iter().map(|window| window.from).collect();
        let (first, last) = (*distinct.first()?, *distinct.last()?);
        let more = last.checked_sub(first)?;
        // No more rows than the windows have together, however few rows a run has.
        (1..=MOST_BEYOND)
            .contains(&more)
            .then_some((first, more))
            .filter(|_| more < distinct.len() as i64)
    }
}

/// The hulls of a list, and of those inside.
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

/// The windows of a list that one load may have, in their order.
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

/// The load of the rows of a class, from the first one on and so many beyond the run; its value and its axis.
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

/// The list with loads of hulls where the first of their windows stood; windows stand behind the loads that follow one another there, so that
/// these stay together.
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
