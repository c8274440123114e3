//! The axes of a body's loops and tiles: which lie innermost in UB, in which order the others lie around them, and what the outermost
//! loop divides.
//!
//! A *lane* axis is one whose indices follow one another wherever a tensor has them: it stands last in accesses and nowhere else. A
//! tile has one lane axis at most; its other axes lie around it, densely, in the order in which GM has them. So a tile is rows of
//! lanes, however many axes the rows have. Of two accesses each of which has the other's last axis further out, the first one decides,
//! stores before loads; the other one is *turned*: what is there lies otherwise in GM than in UB (`turn`). An access of single elements,
//! whose last index is a scalar or data, decides only what no other one does.
//!
//! Each phase of a kernel has one outermost tile loop, and a nest of its own (`phases`). The blocks divide that loop; of a streamed phase it
//! may be the one inside, where each block makes the outermost loop whole (`stream`).

use super::gap::{Gap, Made};
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    walk_stmts, Access, AxFrom, AxId, AxSpec, Axes, Chosen, Index, Operand, ParamId, Scalar,
    SpanId, StmtKind, TensorRef, TileExpr, TileLoop, TileStmt, ValueDecl, ValueId,
};
use crate::ops::contract::Access as Does;
use crate::ops::Op;
use std::collections::{BTreeMap, BTreeSet};

/// What the outermost loop divides among the cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Divided {
    /// The indices of its one axis, which are lanes.
    Elements,
    /// The indices of its one axis, of which each has rows.
    Rows,
    /// Its turns.
    Turns,
}

/// The axes of a body's loops.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    /// The whole axis that each axis is, or is a run of.
    whole: Vec<AxId>,
    /// Whole axes with their extents.
    extents: BTreeMap<AxId, Scalar>,
    /// Whole axes from the outermost in UB on, lanes last.
    order: Vec<AxId>,
    lanes: BTreeSet<AxId>,
    /// Whole axes that tiles have from end to end.
    uncut: BTreeSet<AxId>,
    pub(super) divided: Divided,
    /// The axis of the outermost loop, where it has one.
    pub(super) outer: AxId,
    /// True where rows are never cut: no loop inside.
    has_inner: bool,
    /// True for a loop of one turn.
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

    /// The same with the hulls of a body, each of which lies where the run does that it goes beyond.
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

    /// The whole axis that an axis is, or is a run of.
    pub(super) fn whole(&self, ax: AxId) -> AxId {
        self.whole[ax.index()]
    }

    /// How many indices a whole axis has.
    pub(super) fn extent(&self, whole: AxId) -> Made<&Scalar> {
        self.extents
            .get(&whole)
            .ok_or_else(|| Gap::of_kernel("an axis without an extent"))
    }

    pub(super) fn is_lane(&self, ax: AxId) -> bool {
        self.lanes.contains(&self.whole(ax))
    }

    /// The lane axes.
    pub(super) fn lanes(&self) -> impl Iterator<Item = AxId> + '_ {
        self.order
            .iter()
            .copied()
            .filter(|ax| self.lanes.contains(ax))
    }

    /// Whole axes that tiles have from end to end.
    pub(super) fn uncut(&self) -> impl Iterator<Item = AxId> + '_ {
        self.order
            .iter()
            .copied()
            .filter(|ax| self.uncut.contains(ax))
    }

    /// Those of them whose size callers decide: it may be 0, where the number of blocks is not.
    pub(super) fn sized(&self) -> impl Iterator<Item = AxId> + '_ {
        self.uncut()
            .filter(|ax| !matches!(self.extents.get(ax), Some(Scalar::Var(_))))
    }

    /// The axis that stands last in an access which has that of the lanes further out.
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

    /// The whole axes that stand last in turned accesses.
    pub(super) fn turned_axes(&self, body: &Body) -> BTreeSet<AxId> {
        all_accesses(body)
            .into_iter()
            .filter_map(|access| self.turned(access))
            .map(|ax| self.whole(ax))
            .collect()
    }

    /// The whole axes along which elements may be copied one by one.
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

    /// Where a whole axis lies among the others: the outermost one first.
    pub(super) fn rank(&self, ax: AxId) -> usize {
        let whole = self.whole(ax);
        self.order
            .iter()
            .position(|other| *other == whole)
            .unwrap_or(self.order.len())
    }

    /// The axes of a tile's rows, from the outermost on, and that of its lanes.
    pub(super) fn sides(&self, axes: &Axes) -> (Vec<AxId>, Option<AxId>) {
        let (lanes, mut rows): (Vec<AxId>, Vec<AxId>) =
            axes.iter().partition(|ax| self.is_lane(*ax));
        rows.sort_by_key(|ax| self.rank(*ax));
        (rows, lanes.first().copied())
    }

    /// True for one value a row.
    pub(super) fn is_column(&self, axes: &Axes) -> bool {
        !axes.iter().any(|ax| self.is_lane(ax))
    }

    /// The axis of rows that are lowered whole or streamed: the only one beside that of the loop over rows.
    pub(super) fn row(&self) -> Option<AxId> {
        let row = self.row_of_loops()?;
        self.uncut.iter().all(|ax| *ax == row).then_some(row)
    }

    /// The axis of the rows of a loop over rows, whole or cut, where it is one.
    pub(super) fn row_of_loops(&self) -> Option<AxId> {
        let mut lanes = self.lanes();
        lanes
            .next()
            .filter(|_| lanes.next().is_none() && self.divided == Divided::Rows)
    }

    /// True where there are rows and no loop inside cuts them.
    pub(super) fn has_whole_rows(&self) -> bool {
        self.divided == Divided::Rows && !self.has_inner
    }

    /// True where a loop stands inside the outermost one.
    pub(super) fn has_inner(&self) -> bool {
        self.has_inner
    }

    /// The accesses that read or write one value a row, and what they do.
    pub(super) fn columns<'b>(&self, outer: &'b TileLoop) -> Vec<(&'b Access, Does)> {
        if self.lanes.is_empty() {
            return Vec::new();
        }
        accesses(&outer.body)
            .into_iter()
            .filter(|(access, _)| self.is_column(&access.axes()))
            .collect()
    }

    /// A loop inside over as many lanes as only a core knows.
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

    /// The tensor that a loop goes through, for messages: the first whose lanes it has.
    pub(super) fn named(&self, outer: &TileLoop) -> Option<ParamId> {
        let found = accesses(&outer.body).into_iter().map(|(access, _)| access);
        let mut found = found
            .filter(|access| !self.is_column(&access.axes()) && access.axes().contains(self.outer));
        found.find_map(Access::param)
    }

    /// A tile lies along one axis of lanes.
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

/// The whole axis of each axis; one whose loop is gone is its own.
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

/// All accesses of a body, stores first: the order of axes is theirs before that of loads.
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

/// All accesses of a body, each kind in the order in which they decide where axes lie.
struct Deciding<'b> {
    first: Vec<&'b Access>,
    /// Those that have the last axis of one before further out, and their own last axis further out in that one.
    turned: Vec<&'b Access>,
    /// Those of single elements.
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

/// The last index of an access that is not that of an axis of 1, where it has no axis or is data: no elements follow one another.
pub(super) fn is_single(access: &Access) -> bool {
    let mut ends = access.dims.iter().zip(&access.index).rev();
    let last = ends.find(|(dim, index)| **dim != Scalar::Int(1) || !index.terms.is_empty());
    !access.axes().is_empty()
        && last.is_some_and(|(_, index)| index.terms.is_empty() || index.ids.is_some())
}

/// True for an access of single elements, and for a store with steps along the last axis, which has no span that they are taken from.
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

/// Axes that stand last in accesses and nowhere else.
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
    // What no tensor has lies as what it is chosen from.
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

/// Of two lane axes that a tile has, each by a tensor that lacks the other one, the axis that becomes one of rows, as a hand would choose it:
/// the one that is reduced along, since rows are added up whole; else that of the loop further out. `None` where all tiles have one at most,
/// and where either is needed for what is made along lanes alone.
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

/// True where something is made along an axis, or of tiles that would have no other one, that is made along lanes alone.
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

/// Whole axes in the order of the accesses, lanes last.
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
    // What no tensor has lies anywhere.
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

/// The axes that defined tiles have from end to end.
fn uncut(body: &Body) -> BTreeSet<AxId> {
    let whole = |ax: &AxId| matches!(body.axes[ax.index()].from, AxFrom::Whole { .. });
    defined(body)
        .into_iter()
        .flat_map(|v| v.axes.iter())
        .filter(whole)
        .collect()
}

/// The values that are defined, each once: those of other phases are only declared.
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

/// The tile loop of a phase that blocks divide among themselves: the outermost one, or the one in it where each block makes that whole.
pub(super) fn outer(body: &Body) -> Made<&TileLoop> {
    match body.outer_loops()[..] {
        [one] => Ok(divided_in(one).unwrap_or(one)),
        [] => Err(Gap::of_kernel("a kernel without a tile loop")),
        [..] => Err(Gap::of_kernel("several tile loops as one")),
    }
}

/// The loop around the divided one, which each block makes whole.
fn around(body: &Body) -> Option<&TileLoop> {
    body.outer_loops()
        .into_iter()
        .find(|tile| divided_in(tile).is_some())
}

/// The loop that is divided inside of one that each block makes whole: what that one stores is the block's own.
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

/// Where the one outermost tile loop stands.
pub(super) fn outer_span(body: &Body) -> Made<SpanId> {
    let at = body
        .stmts
        .iter()
        .find(|s| matches!(s.kind, StmtKind::Do(TileStmt::Loop { .. })));
    at.map(|s| s.span)
        .ok_or_else(|| Gap::of_kernel("a phase whose tile loop stands under scalar control"))
}

/// True for a loop of one turn, which one block makes.
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

/// The statements before it.
pub(super) fn before(body: &Body) -> &[Stmt] {
    let at = body
        .stmts
        .iter()
        .position(|s| matches!(s.kind, StmtKind::Do(TileStmt::Loop { .. })));
    &body.stmts[..at.unwrap_or(body.stmts.len())]
}

/// The tile loops inside another.
pub(super) fn inner_loops(outer: &TileLoop) -> Vec<&TileLoop> {
    let mut found = Vec::new();
    walk_stmts(&outer.body, &mut |s| {
        if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
            found.push(tile);
        }
    });
    found
}

/// What the runs of the divided loop and of those inside and around cut: each whole axis once, with the first size that the author gives;
/// true for the divided loop.
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

/// What statements read and write of GM, and what they do with it.
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

/// Tensors that statements store to.
pub fn stored(stmts: &[Stmt]) -> BTreeSet<TensorRef> {
    let mut stored = BTreeSet::new();
    walk_stmts(stmts, &mut |s| {
        if let StmtKind::Do(TileStmt::Store { to, .. } | TileStmt::Append { to, .. }) = &s.kind {
            stored.insert(to.of);
        }
    });
    stored
}

/// By how many rows hulls go beyond the runs of each whole axis.
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

/// Rows that are defined before the tile loop and are an operand beside whole rows.
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

/// True where scalars are read of tiles before the loop of a phase.
pub fn reads_scalars(stmts: &[Stmt]) -> bool {
    let mut found = false;
    walk_stmts(stmts, &mut |s| {
        found |= matches!(s.kind, StmtKind::Do(TileStmt::Read { .. }))
    });
    found
}

/// True for one tile loop at the top, without anything that blocks hand one another.
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

/// True for what neither holds tiles nor loops over them.
pub fn is_scalar(s: &Stmt) -> bool {
    let mut tiles = false;
    walk_stmts(std::slice::from_ref(s), &mut |s| {
        tiles |= s.own().is_some();
    });
    !tiles
}
