//! The axes of a body's loops and tiles.
//!
//! - **Input**: a body with one outermost loop.
//! - **Output**: a [`Nest`]: the lane axes, the order of the other axes in UB, and what the cores
//!   divide.
//! - **Invariant**: a tile has at most one lane axis.
//! - **Start at**: `Nest::of`, then `lanes` and `order`.
//!
//! A *lane* axis is one whose indices follow one another in every tensor that has it: it stands
//! last in accesses and nowhere else. The other axes of a tile lie densely around it, in the order
//! of GM. So a tile is rows of lanes, with any number of row axes.
//!
//! Two accesses may each have the last axis of the other one further out. The first of them
//! decides, stores before loads. The other one is *turned*: its elements lie in another order in GM
//! than in UB. An access of single elements has a scalar or data as its last index. It decides only
//! about axes that no other access has.
//!
//! Each phase of a kernel has one outermost tile loop and a nest of its own (`phases`). The blocks
//! divide that loop. In a streamed phase they may divide the loop inside, while each block runs the
//! outermost loop as a whole (`stream`).

use super::gap::{Gap, Made};
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    walk_stmts, Access, AxFrom, AxId, AxSpec, Axes, Chosen, Index, Operand, ParamId, Scalar,
    SpanId, StmtKind, TensorRef, TileExpr, TileLoop, TileStmt, ValueDecl, ValueId,
};
use crate::ops::contract::Access as Does;
use crate::ops::Op;
use std::collections::{BTreeMap, BTreeSet};

/// The unit in which the cores divide the outermost loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Divided {
    /// The indices of its one axis, which are lanes.
    Elements,
    /// The indices of its one axis, each with rows of lanes.
    Rows,
    /// The iterations of the loop.
    Turns,
}

/// The axes of a body's loops.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    /// For each axis, the whole axis that it is, or is a run of.
    whole: Vec<AxId>,
    /// The extents of whole axes.
    extents: BTreeMap<AxId, Scalar>,
    /// Whole axes from the outermost in UB on, lanes last.
    order: Vec<AxId>,
    lanes: BTreeSet<AxId>,
    /// Axes that are whole in tiles.
    uncut: BTreeSet<AxId>,
    pub(super) divided: Divided,
    /// The first axis of the outermost loop.
    pub(super) outer: AxId,
    /// True if a loop stands inside or around the divided one, so that rows may be cut.
    has_inner: bool,
    /// True for a loop of one iteration.
    pub(super) is_once: bool,
}

/// A body of one outermost loop, with its axes.
#[derive(Clone, Copy)]
pub(super) struct Loop<'b> {
    pub(super) body: &'b Body,
    pub(super) nest: &'b Nest,
}

impl Nest {
    pub(super) fn of(body: &Body) -> Made<Nest> {
        let outer = outer(body)?;
        let whole = whole_axes(body);
        let mut extents = BTreeMap::new();
        for (ax, decl) in (0..).map(AxId).zip(&body.axes) {
            if let AxFrom::Whole { extent } = &decl.from {
                extents.insert(ax, extent.clone());
            }
        }
        let lanes = lanes(body, &whole);
        let divided = match &outer.specs[..] {
            [spec] if !spec.size.is_each() && lanes.contains(&spec.of) => Divided::Elements,
            [spec] if !spec.size.is_each() => Divided::Rows,
            _ => Divided::Turns,
        };
        let first = outer
            .specs
            .first()
            .ok_or_else(|| Gap::of_kernel("a loop over no axis"))?;
        let (order, uncut) = (order(body, &whole, &lanes), uncut(body));
        let has_inner = !inner_loops(outer).is_empty() || around(body).is_some();
        let nest = Nest {
            whole,
            extents,
            order,
            lanes,
            uncut,
            divided,
            outer: first.ax,
            has_inner,
            is_once: is_once(body, outer),
        };
        nest.one_lane_each(body)?;
        Ok(nest)
    }

    /// Adds the hulls of a body; each lies where the run lies that it extends.
    pub(super) fn with_hulls(&self, body: &Body) -> Nest {
        let mut nest = self.clone();
        for decl in &body.axes[self.whole.len()..] {
            let own = AxId(nest.whole.len() as u32);
            nest.whole.push(match decl.from {
                AxFrom::Hull { of, .. } => self.whole(of),
                AxFrom::Whole { .. } | AxFrom::Run { .. } => own,
            });
        }
        nest
    }

    /// Returns the whole axis that an axis is, or is a run of.
    pub(super) fn whole(&self, ax: AxId) -> AxId {
        self.whole[ax.index()]
    }

    /// Returns the number of indices of a whole axis.
    pub(super) fn extent(&self, whole: AxId) -> Made<&Scalar> {
        self.extents
            .get(&whole)
            .ok_or_else(|| Gap::of_kernel("an axis without an extent"))
    }

    pub(super) fn is_lane(&self, ax: AxId) -> bool {
        self.lanes.contains(&self.whole(ax))
    }

    pub(super) fn lanes(&self) -> impl Iterator<Item = AxId> + '_ {
        self.order
            .iter()
            .copied()
            .filter(|ax| self.lanes.contains(ax))
    }

    /// Returns the axes that are whole in tiles.
    pub(super) fn uncut(&self) -> impl Iterator<Item = AxId> + '_ {
        self.order
            .iter()
            .copied()
            .filter(|ax| self.uncut.contains(ax))
    }

    /// Returns those uncut axes whose size callers decide and which may be empty. The number of
    /// blocks is never 0.
    pub(super) fn sized(&self) -> impl Iterator<Item = AxId> + '_ {
        self.uncut()
            .filter(|ax| !matches!(self.extents.get(ax), Some(Scalar::Var(_))))
    }

    /// Returns the last axis of an access that has the lane axis further out.
    pub(super) fn turned(&self, access: &Access) -> Option<AxId> {
        let last = access
            .index
            .last()
            .filter(|index| index.ids.is_none())?
            .terms
            .last()?
            .ax;
        (!self.is_lane(last) && self.sides(&access.axes()).1.is_some()).then_some(last)
    }

    /// Returns the whole axes that stand last in turned accesses.
    pub(super) fn turned_axes(&self, body: &Body) -> BTreeSet<AxId> {
        all_accesses(body)
            .into_iter()
            .filter_map(|access| self.turned(access))
            .map(|ax| self.whole(ax))
            .collect()
    }

    /// Returns the whole axes along which elements may be copied one by one.
    pub(super) fn single_axes(&self, body: &Body) -> BTreeSet<AxId> {
        let mut found = BTreeSet::new();
        body.walk(&mut |s| {
            let single = s.access().filter(|access| copies_elements(access, s));
            found.extend(single.into_iter().flat_map(|access| {
                access
                    .axes()
                    .iter()
                    .map(|ax| self.whole(ax))
                    .collect::<Vec<_>>()
            }));
        });
        found
    }

    /// Returns the position of an axis in UB, the outermost first.
    pub(super) fn rank(&self, ax: AxId) -> usize {
        let whole = self.whole(ax);
        self.order
            .iter()
            .position(|other| *other == whole)
            .unwrap_or(self.order.len())
    }

    /// Returns the row axes of a tile, from the outermost on, and its lane axis.
    pub(super) fn sides(&self, axes: &Axes) -> (Vec<AxId>, Option<AxId>) {
        let (lanes, mut rows): (Vec<AxId>, Vec<AxId>) =
            axes.iter().partition(|ax| self.is_lane(*ax));
        rows.sort_by_key(|ax| self.rank(*ax));
        (rows, lanes.first().copied())
    }

    /// True for a tile with one value a row.
    pub(super) fn is_column(&self, axes: &Axes) -> bool {
        !axes.iter().any(|ax| self.is_lane(ax))
    }

    /// Returns the axis of whole or streamed rows: the only lane axis of a loop over rows, if no
    /// other axis is uncut.
    pub(super) fn row(&self) -> Option<AxId> {
        let row = self.row_of_loops()?;
        self.uncut.iter().all(|ax| *ax == row).then_some(row)
    }

    /// Returns the lane axis of a loop over rows, whole or cut.
    pub(super) fn row_of_loops(&self) -> Option<AxId> {
        let mut lanes = self.lanes();
        lanes
            .next()
            .filter(|_| lanes.next().is_none() && self.divided == Divided::Rows)
    }

    /// True if there are rows and no loop inside cuts them.
    pub(super) fn has_whole_rows(&self) -> bool {
        self.divided == Divided::Rows && !self.has_inner
    }

    /// True if a loop stands inside the outermost one.
    pub(super) fn has_inner(&self) -> bool {
        self.has_inner
    }

    /// Returns the accesses of one value a row, with their effects.
    pub(super) fn columns<'b>(&self, outer: &'b TileLoop) -> Vec<(&'b Access, Does)> {
        if self.lanes.is_empty() {
            return Vec::new();
        }
        accesses(&outer.body)
            .into_iter()
            .filter(|(access, _)| self.is_column(&access.axes()))
            .collect()
    }

    /// Finds a loop inside over a number of lanes that only a core knows.
    pub(super) fn open_lanes(&self, outer: &TileLoop) -> Option<SpanId> {
        let mut found = None;
        walk_stmts(&outer.body, &mut |s| {
            if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
                let is_open = |spec: &AxSpec| {
                    spec.length.is_some() && !spec.size.is_each() && self.is_lane(spec.of)
                };
                found = found.or(tile.specs.iter().any(is_open).then_some(s.span));
            }
        });
        found
    }

    /// Returns the tensor that names a loop in messages: the first whose lanes it has.
    pub(super) fn named(&self, outer: &TileLoop) -> Option<ParamId> {
        let found = accesses(&outer.body).into_iter().map(|(access, _)| access);
        let mut found = found
            .filter(|access| !self.is_column(&access.axes()) && access.axes().contains(self.outer));
        found.find_map(Access::param)
    }

    /// Refuses tiles with two lane axes.
    fn one_lane_each(&self, body: &Body) -> Made<()> {
        let mut wrong = None;
        body.walk(&mut |s| {
            if let StmtKind::Do(TileStmt::Def { value, .. }) = &s.kind {
                let lanes: Vec<AxId> = body.values[value.index()]
                    .axes
                    .iter()
                    .filter(|ax| self.is_lane(*ax))
                    .collect();
                if let [a, b, ..] = lanes[..] {
                    wrong.get_or_insert((a, b, s.span));
                }
            }
        });
        let Some((a, b, span)) = wrong else {
            return Ok(());
        };
        let name = |ax: AxId| &body.axes[ax.index()].name;
        let (a, b) = (name(a), name(b));
        let what =
            format!("a tile over `{a}` and `{b}`, along each of which something is made that follows the last axis of a tensor");
        Err(Gap::not_yet(what, "reduce, choose or order along one of the two alone, or loop over one of them by `each`", span))
    }
}

/// Returns the whole axis of each axis. An axis without a loop is its own.
fn whole_axes(body: &Body) -> Vec<AxId> {
    let mut whole: Vec<AxId> = (0..body.axes.len() as u32).map(AxId).collect();
    body.walk(&mut |s| {
        if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
            tile.specs
                .iter()
                .for_each(|spec| whole[spec.ax.index()] = spec.of);
        }
    });
    whole
}

/// Returns all accesses of a body. Stores come first, since they decide the order of axes.
fn all_accesses(body: &Body) -> Vec<&Access> {
    let (mut stores, mut loads) = (Vec::new(), Vec::new());
    body.walk(&mut |s| {
        let list = if matches!(s.kind, StmtKind::Do(TileStmt::Store { .. })) {
            &mut stores
        } else {
            &mut loads
        };
        list.extend(s.access());
    });
    stores.extend(loads);
    stores
}

/// All accesses of a body, each kind in the order in which they decide about axes.
struct Deciding<'b> {
    first: Vec<&'b Access>,
    /// Accesses that are turned against one before: each of the two has the last axis of the other
    /// one further out.
    turned: Vec<&'b Access>,
    /// Accesses of single elements.
    single: Vec<&'b Access>,
}

impl<'b> Deciding<'b> {
    fn all(&self) -> impl Iterator<Item = &'b Access> + '_ {
        self.first
            .iter()
            .chain(&self.turned)
            .chain(&self.single)
            .copied()
    }
}

/// True if no elements of an access follow one another: its last index has no axis, or is data.
/// Axes of size 1 without terms are skipped.
pub(super) fn is_single(access: &Access) -> bool {
    let mut ends = access.dims.iter().zip(&access.index).rev();
    let last = ends.find(|(dim, index)| **dim != Scalar::Int(1) || !index.terms.is_empty());
    !access.axes().is_empty()
        && last.is_some_and(|(_, index)| index.terms.is_empty() || index.ids.is_some())
}

/// True for an access that copies elements one by one. That is one of single elements, or a store
/// with steps along its last axis. A load with steps copies the whole span and takes elements from
/// it.
pub(super) fn copies_elements(access: &Access, by: &Stmt) -> bool {
    let steps = || {
        access
            .index
            .last()
            .is_some_and(|index| index.terms.iter().any(|term| term.factor != Scalar::Int(1)))
    };
    is_single(access) || matches!(by.kind, StmtKind::Do(TileStmt::Store { .. })) && steps()
}

fn deciding<'b>(body: &'b Body, whole: &[AxId]) -> Deciding<'b> {
    let of = |index: &Index| {
        index
            .terms
            .iter()
            .map(|t| whole[t.ax.index()])
            .collect::<Vec<_>>()
    };
    let ends = |access: &Access| {
        let (last, outer) = access.index.split_last()?;
        Some((of(last), outer.iter().flat_map(of).collect::<Vec<_>>()))
    };
    let turn = |a: &Access, b: &Access| {
        let (Some((a, around_a)), Some((b, around_b))) = (ends(a), ends(b)) else {
            return false;
        };
        a.iter().any(|ax| around_b.contains(ax)) && b.iter().any(|ax| around_a.contains(ax))
    };
    let (mut first, mut turned): (Vec<&Access>, Vec<&Access>) = (Vec::new(), Vec::new());
    let (single, runs): (Vec<&Access>, Vec<&Access>) = all_accesses(body)
        .into_iter()
        .partition(|access| is_single(access));
    for access in runs {
        let list = if first.iter().any(|other| turn(other, access)) {
            &mut turned
        } else {
            &mut first
        };
        list.push(access);
    }
    Deciding {
        first,
        turned,
        single,
    }
}

/// Returns the axes that stand last in accesses and nowhere else.
fn lanes(body: &Body, whole: &[AxId]) -> BTreeSet<AxId> {
    let (mut last, mut others) = (BTreeSet::new(), BTreeSet::new());
    let of = |index: &Index| {
        index
            .terms
            .iter()
            .map(|t| whole[t.ax.index()])
            .collect::<Vec<_>>()
    };
    let accesses = deciding(body, whole);
    for access in &accesses.first {
        if let Some((index, outer)) = access.index.split_last() {
            last.extend(of(index));
            others.extend(outer.iter().flat_map(of));
        }
    }
    for access in &accesses.single {
        let known = |ax: &AxId| last.contains(ax) || others.contains(ax);
        let mut open: Vec<Vec<AxId>> = access
            .index
            .iter()
            .rev()
            .map(of)
            .filter(|axes| !axes.is_empty())
            .collect();
        open.iter_mut()
            .for_each(|axes| axes.retain(|ax| !known(ax)));
        let mut open = open.into_iter();
        last.extend(open.next().into_iter().flatten());
        others.extend(open.flatten());
    }
    // An axis that no tensor has lies like the axis that it is picked from.
    body.walk(&mut |s| {
        if let StmtKind::Do(TileStmt::Def {
            expr:
                TileExpr::Pick {
                    along,
                    at: Chosen::Index { index },
                    ..
                },
            ..
        }) = &s.kind
        {
            let along = whole[along.index()];
            if last.contains(&along) && !others.contains(&along) {
                last.extend(of(index));
            }
        }
        if let StmtKind::Do(TileStmt::Def {
            expr: TileExpr::Top { along, to, .. },
            ..
        }) = &s.kind
        {
            let [along, to] = [along, to].map(|ax| whole[ax.index()]);
            if last.contains(&along) && !others.contains(&along) {
                last.insert(to);
            }
        }
    });
    let mut lanes = last.difference(&others).copied().collect();
    while let Some(rows) = axis_of_rows(body, whole, &lanes) {
        lanes.remove(&rows);
    }
    lanes
}

/// Chooses one of two lane axes of a tile to become an axis of rows. `None` if all tiles have at
/// most one, or if both are needed for ops along lanes.
///
/// An axis that is reduced is preferred, since rows are added as wholes; then the one of the outer
/// loop.
fn axis_of_rows(body: &Body, whole: &[AxId], lanes: &BTreeSet<AxId>) -> Option<AxId> {
    let of = |axes: &Axes| {
        axes.iter()
            .map(|ax| whole[ax.index()])
            .filter(|ax| lanes.contains(ax))
            .collect::<Vec<_>>()
    };
    let (mut both, mut reduced, mut looped) = (Vec::new(), BTreeSet::new(), Vec::new());
    body.walk(&mut |s| match s.own() {
        Some(TileStmt::Def { value, expr }) => {
            let own = of(&body.values[value.index()].axes);
            if both.is_empty() && own.len() > 1 {
                both = own;
            }
            if let TileExpr::Reduce { over, .. } = expr {
                reduced.extend(of(over));
            }
        }
        Some(TileStmt::Loop { tile }) => looped.extend(tile.specs.iter().map(|spec| spec.of)),
        Some(
            TileStmt::Set { .. }
            | TileStmt::Store { .. }
            | TileStmt::Append { .. }
            | TileStmt::Read { .. }
            | TileStmt::Dump { .. },
        )
        | None => {}
    });
    both.retain(|ax| !wants_lanes(body, whole, lanes, *ax));
    let depth = |ax: &AxId| {
        looped
            .iter()
            .position(|of| of == ax)
            .unwrap_or(looped.len())
    };
    both.into_iter()
        .min_by_key(|ax| (!reduced.contains(ax), depth(ax)))
}

/// True if an op along an axis, or on tiles with no other lane axis, exists along lanes alone.
fn wants_lanes(body: &Body, whole: &[AxId], lanes: &BTreeSet<AxId>, ax: AxId) -> bool {
    let is_own = |other: &AxId| whole[other.index()] == ax;
    let axes = |v: &ValueId| &body.values[v.index()].axes;
    let only = |axes: &Axes| {
        let mut own = axes
            .iter()
            .filter(|other| lanes.contains(&whole[other.index()]));
        own.next().is_some_and(|first| is_own(&first)) && own.next().is_none()
    };
    let mut wants = false;
    body.walk(&mut |s| {
        let StmtKind::Do(TileStmt::Def { value, expr }) = &s.kind else {
            return;
        };
        let repeats = |operand: &ValueId| {
            axes(operand).len() < axes(value).len() && !axes(operand).is_empty()
        };
        wants |= match expr {
            TileExpr::Reduce { value, over, .. } => {
                only(axes(value)) && over.len() < axes(value).len()
            }
            TileExpr::Op { args, .. } => {
                only(axes(value)) && args.iter().filter_map(Operand::value).any(|v| repeats(&v))
            }
            TileExpr::Copy { value: from } => only(axes(value)) && repeats(from),
            TileExpr::Pick { along, .. } | TileExpr::Scan { along, .. } => is_own(along),
            TileExpr::Top { along, to, .. } => is_own(along) || is_own(to),
            TileExpr::Load { .. }
            | TileExpr::LoadOr { .. }
            | TileExpr::Fill { .. }
            | TileExpr::Iota { .. } => false,
            TileExpr::Across { .. } | TileExpr::Appended { .. } => false,
            TileExpr::Cast { .. } | TileExpr::Truncate { .. } | TileExpr::Round { .. } => false,
        };
    });
    wants
}

/// Returns whole axes in the order of the accesses, lanes last.
fn order(body: &Body, whole: &[AxId], lanes: &BTreeSet<AxId>) -> Vec<AxId> {
    let mut order: Vec<AxId> = Vec::new();
    for access in deciding(body, whole).all() {
        let mut before = order.len();
        for ax in access
            .index
            .iter()
            .rev()
            .flat_map(|index| index.terms.iter().rev().map(|t| whole[t.ax.index()]))
        {
            match order.iter().position(|other| *other == ax) {
                Some(at) => before = at,
                None => order.insert(before, ax),
            }
        }
    }
    // Axes that no tensor has may lie anywhere.
    let unplaced = defined(body).into_iter().flat_map(|v| {
        v.axes
            .iter()
            .map(|ax| whole[ax.index()])
            .collect::<Vec<_>>()
    });
    for ax in unplaced {
        if !order.contains(&ax) {
            order.push(ax);
        }
    }
    let (lanes, mut rows): (Vec<AxId>, Vec<AxId>) =
        order.into_iter().partition(|ax| lanes.contains(ax));
    rows.extend(lanes);
    rows
}

/// Returns the axes that are whole in defined tiles.
fn uncut(body: &Body) -> BTreeSet<AxId> {
    let whole = |ax: &AxId| matches!(body.axes[ax.index()].from, AxFrom::Whole { .. });
    defined(body)
        .into_iter()
        .flat_map(|v| v.axes.iter())
        .filter(whole)
        .collect()
}

/// Returns the defined values, each once. A body also declares values of other phases.
pub(super) fn defined(body: &Body) -> Vec<&ValueDecl> {
    let mut found = BTreeSet::new();
    body.walk(&mut |s| {
        if let StmtKind::Do(TileStmt::Def { value, .. }) = &s.kind {
            found.insert(*value);
        }
    });
    found
        .into_iter()
        .map(|value| &body.values[value.index()])
        .collect()
}

/// Returns the tile loop that the blocks divide: the outermost one, or the one inside of an
/// outermost loop that each block runs as a whole.
pub(super) fn outer(body: &Body) -> Made<&TileLoop> {
    match body.outer_loops()[..] {
        [one] => Ok(divided_in(one).unwrap_or(one)),
        [] => Err(Gap::of_kernel("a kernel without a tile loop")),
        [..] => Err(Gap::of_kernel("several tile loops as one")),
    }
}

/// Returns the loop around the divided one, which each block runs as a whole.
fn around(body: &Body) -> Option<&TileLoop> {
    body.outer_loops()
        .into_iter()
        .find(|tile| divided_in(tile).is_some())
}

/// Returns the divided loop inside of one that each block runs as a whole. Such a loop stores to
/// the block's own place.
fn divided_in(tile: &TileLoop) -> Option<&TileLoop> {
    let leaves = tile
        .body
        .iter()
        .any(|s| matches!(&s.kind, StmtKind::Do(TileStmt::Store { to, .. }) if to.is_of_block()));
    let inner = tile.body.iter().find_map(|s| {
        if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
            Some(tile)
        } else {
            None
        }
    });
    inner.filter(|_| leaves)
}

/// Returns the source of the one outermost tile loop.
pub(super) fn outer_span(body: &Body) -> Made<SpanId> {
    let at = body
        .stmts
        .iter()
        .find(|s| matches!(s.kind, StmtKind::Do(TileStmt::Loop { .. })));
    at.map(|s| s.span)
        .ok_or_else(|| Gap::of_kernel("a phase whose tile loop stands under scalar control"))
}

/// True for a loop of one iteration, which a single block runs.
pub(super) fn is_once(body: &Body, tile: &TileLoop) -> bool {
    tile.specs.iter().all(|spec| {
        let whole = &body.axes[spec.of.index()].from;
        spec.size.is_each()
            && matches!(
                whole,
                AxFrom::Whole {
                    extent: Scalar::Int(1)
                }
            )
    })
}

/// Returns the statements before the tile loop.
pub(super) fn before(body: &Body) -> &[Stmt] {
    let at = body
        .stmts
        .iter()
        .position(|s| matches!(s.kind, StmtKind::Do(TileStmt::Loop { .. })));
    &body.stmts[..at.unwrap_or(body.stmts.len())]
}

/// Returns the tile loops inside another one.
pub(super) fn inner_loops(outer: &TileLoop) -> Vec<&TileLoop> {
    let mut found = Vec::new();
    walk_stmts(&outer.body, &mut |s| {
        if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
            found.push(tile);
        }
    });
    found
}

/// Returns the runs that the divided loop and those inside and around it cut: each whole axis once,
/// with the first size that the author gives. The flag is true for the divided loop.
pub(super) fn cut(body: &Body) -> Made<Vec<(&AxSpec, bool)>> {
    let outer = outer(body)?;
    let others = inner_loops(outer)
        .into_iter()
        .chain(around(body))
        .flat_map(|tile| &tile.specs)
        .map(|spec| (spec, false));
    let all = outer
        .specs
        .iter()
        .map(|spec| (spec, true))
        .chain(others)
        .filter(|(spec, _)| !spec.size.is_each());
    let mut found: Vec<(&AxSpec, bool)> = Vec::new();
    for (spec, is_outer) in all {
        match found.iter_mut().find(|(other, _)| other.of == spec.of) {
            Some((other, _)) if other.size.given().is_none() && spec.size.given().is_some() => {
                *other = spec
            }
            Some(_) => {}
            None => found.push((spec, is_outer)),
        }
    }
    Ok(found)
}

/// Returns the GM accesses of statements, with their effects.
pub(super) fn accesses(stmts: &[Stmt]) -> Vec<(&Access, Does)> {
    let mut found = Vec::new();
    walk_stmts(stmts, &mut |s| {
        let does = match s.own() {
            Some(TileStmt::Store { how, .. }) => how.does(),
            Some(TileStmt::Append { .. }) => Does::Write,
            Some(TileStmt::Def { .. }) => Does::Read,
            Some(
                TileStmt::Loop { .. }
                | TileStmt::Set { .. }
                | TileStmt::Read { .. }
                | TileStmt::Dump { .. },
            )
            | None => return,
        };
        found.extend(s.access().map(|a| (a, does)));
    });
    found
}

/// Returns the tensors that statements store to.
pub fn stored(stmts: &[Stmt]) -> BTreeSet<TensorRef> {
    let mut stored = BTreeSet::new();
    walk_stmts(stmts, &mut |s| {
        if let StmtKind::Do(TileStmt::Store { to, .. } | TileStmt::Append { to, .. }) = &s.kind {
            stored.insert(to.of);
        }
    });
    stored
}

/// Returns the number of rows by which hulls extend the runs of each whole axis.
pub fn beyond(of: Loop<'_>) -> BTreeMap<AxId, i64> {
    let mut found = BTreeMap::new();
    for decl in &of.body.axes {
        if let AxFrom::Hull { of: run, more } = decl.from {
            let most = found.entry(of.nest.whole(run)).or_insert(0);
            *most = more.max(*most);
        }
    }
    found
}

/// Returns rows that are defined before the tile loop and are an operand beside whole rows.
pub fn met_by_rows(Loop { body, nest }: Loop<'_>) -> BTreeSet<ValueId> {
    let decl = |v: ValueId| &body.values[v.index()];
    let before = |v: &ValueId| {
        let defines =
            |s: &Stmt| matches!(&s.kind, StmtKind::Do(TileStmt::Def { value, .. }) if value == v);
        !decl(*v).axes.contains(nest.outer) && !decl(*v).mutable && body.stmts.iter().any(defines)
    };
    let mut met = BTreeSet::new();
    body.walk(&mut |s| {
        let StmtKind::Do(TileStmt::Def {
            value,
            expr:
                TileExpr::Op {
                    op: Op::Binary(_),
                    args,
                },
        }) = &s.kind
        else {
            return;
        };
        let values: Vec<ValueId> = args.iter().filter_map(Operand::value).collect();
        let axes = &decl(*value).axes;
        if axes.contains(nest.outer) && values.iter().any(|v| decl(*v).axes == *axes) {
            met.extend(values.into_iter().filter(before));
        }
    });
    met
}

/// True if statements read scalars from tiles.
pub fn reads_scalars(stmts: &[Stmt]) -> bool {
    let mut found = false;
    walk_stmts(stmts, &mut |s| {
        found |= matches!(s.kind, StmtKind::Do(TileStmt::Read { .. }))
    });
    found
}

/// True for one tile loop at the top level, without data that blocks hand to one another.
pub fn is_one_phase(body: &Body) -> bool {
    let mut merges = false;
    body.walk(&mut |s| {
        merges |= matches!(
            &s.kind,
            StmtKind::Do(TileStmt::Def {
                expr: TileExpr::Across { .. },
                ..
            })
        )
    });
    let at_top = body
        .stmts
        .iter()
        .any(|s| matches!(s.kind, StmtKind::Do(TileStmt::Loop { .. })));
    body.outer_loops().len() == 1 && at_top && !merges && body.works.is_empty()
}

/// True for a statement without tiles and tile loops.
pub fn is_scalar(s: &Stmt) -> bool {
    let mut tiles = false;
    walk_stmts(std::slice::from_ref(s), &mut |s| {
        tiles |= s.own().is_some();
    });
    !tiles
}
