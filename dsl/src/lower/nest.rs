//! The axes of a kernel with one tile loop, as rows and columns.
//!
//! What is lowered today is one outermost loop over one axis, and at most one axis beside it, whole or cut by loops inside. This file
//! alone says which axis is which; everything else is an error and never a guess.

use super::{Gap, Made};
use crate::ir::{
    walk_stmts, Access, AxFrom, AxId, AxSpec, Axes, Body, LoopId, ParamId, Scalar, SpanId, Stmt, StmtKind, TileLoop,
};
use std::collections::BTreeMap;

/// What an axis is in the nest of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    /// A run of the outermost loop, beside which there is no axis.
    Elements,
    /// A run of the outermost loop, of whose indices each has a row.
    Rows,
    /// A row from end to end.
    Row,
    /// A run of a loop inside, which is part of a row.
    Columns,
}

/// The axes of a body's loops.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    along: BTreeMap<AxId, Along>,
    /// The axis of the outermost loop.
    pub(super) outer: AxId,
    /// How many indices the outermost loop runs over.
    pub(super) total: Scalar,
    /// The whole axis of a row, where there are rows.
    pub(super) row: Option<(AxId, Scalar)>,
    /// True where there are rows and no loop inside cuts them.
    pub(super) has_whole_rows: bool,
}

impl Nest {
    pub(super) fn of(body: &Body) -> Made<Nest> {
        let outer = outer(body)?;
        let spec = spec(outer)?;
        let mut along = BTreeMap::new();
        let mut row = None;
        let defined = first_definitions(body);
        for (ax, span) in &defined {
            let is_whole = matches!(body.axes[ax.index()].from, AxFrom::Whole { .. });
            if let Some(other) = is_whole.then(|| row.replace(*ax)).flatten() {
                return Err(two_axes(body, (other, *ax), *span));
            }
        }
        for (inner, span) in inner_loops(outer) {
            let spec = self::spec(inner)?;
            if let Some(other) = row.replace(spec.of).filter(|other| *other != spec.of) {
                return Err(two_axes(body, (other, spec.of), defined.get(&spec.ax).copied().unwrap_or(span)));
            }
            along.insert(spec.ax, Along::Columns);
        }
        along.insert(spec.ax, if row.is_some() { Along::Rows } else { Along::Elements });
        along.extend(row.map(|row| (row, Along::Row)));
        let row = row.map(|row| Ok((row, whole(body, row)?))).transpose()?;
        let has_whole_rows = row.is_some() && inner_loops(outer).is_empty();
        Ok(Nest { along, outer: spec.ax, total: whole(body, spec.of)?, row, has_whole_rows })
    }

    /// What an axis is.
    pub(super) fn along(&self, ax: AxId) -> Made<Along> {
        self.along.get(&ax).copied().ok_or_else(|| Gap::of_kernel("an axis of no loop"))
    }

    /// The rows and the columns or elements among the axes of a value.
    pub(super) fn sides(&self, axes: &Axes) -> Made<(Option<AxId>, Option<AxId>)> {
        let (mut rows, mut cols) = (None, None);
        for ax in axes.iter() {
            let side = if self.along(ax)? == Along::Rows { &mut rows } else { &mut cols };
            if side.replace(ax).is_some() {
                return Err(Gap::of_kernel("a value over a row and part of it"));
            }
        }
        Ok((rows, cols))
    }

    /// True for one value a row.
    pub(super) fn is_column(&self, axes: &Axes) -> bool {
        self.row.is_some() && axes.iter().all(|ax| ax == self.outer)
    }

    /// The accesses that read or write one value a row; true for those that write.
    pub(super) fn columns<'b>(&self, outer: &'b TileLoop) -> Vec<(&'b Access, bool)> {
        accesses(outer).into_iter().filter(|(access, _)| self.is_column(&access.axes())).collect()
    }

    /// The tensor that gives an outermost loop its extent, for messages: the first whose elements or rows it goes through.
    pub(super) fn named(&self, outer: &TileLoop) -> Option<ParamId> {
        let found = accesses(outer).into_iter().map(|(access, _)| access);
        let mut found = found.filter(|access| !self.is_column(&access.axes()) && access.axes().contains(self.outer));
        found.next().map(|access| access.param)
    }
}

/// The axes of the values that are defined, each with the place of the first one.
fn first_definitions(body: &Body) -> BTreeMap<AxId, SpanId> {
    let mut found = BTreeMap::new();
    body.walk(&mut |s| {
        if let StmtKind::Def { value, .. } = &s.kind {
            for ax in body.values[value.index()].axes.iter() {
                found.entry(ax).or_insert(s.span);
            }
        }
    });
    found
}

fn two_axes(body: &Body, (a, b): (AxId, AxId), span: SpanId) -> Gap {
    let name = |ax: AxId| &body.axes[ax.index()].name;
    let what = format!("tiles over `{}` and tiles over `{}` in one kernel", name(a), name(b));
    Gap::not_yet(what, "beside the axis of the outermost loop a kernel has one other axis, whole or cut", span)
}

/// The one outermost tile loop.
pub(super) fn outer(body: &Body) -> Made<&TileLoop> {
    let mut loops = body.stmts.iter().filter_map(|s| match &s.kind {
        StmtKind::Loop { tile } => Some(tile),
        _ => None,
    });
    loops.next().ok_or_else(|| Gap::of_kernel("a kernel without a tile loop"))
}

/// The statements before it.
pub(super) fn before(body: &Body) -> &[Stmt] {
    let at = body.stmts.iter().position(|s| matches!(s.kind, StmtKind::Loop { .. }));
    &body.stmts[..at.unwrap_or(body.stmts.len())]
}

/// The one axis of a loop.
pub(super) fn spec(tile: &TileLoop) -> Made<&AxSpec> {
    match &tile.specs[..] {
        [spec] => Ok(spec),
        specs => Err(Gap::of_kernel(format!("a loop over {} axes", specs.len()))),
    }
}

/// The tile loops inside another, with their places.
pub(super) fn inner_loops(outer: &TileLoop) -> Vec<(&TileLoop, SpanId)> {
    let mut found = Vec::new();
    walk_stmts(&outer.body, &mut |s| {
        if let StmtKind::Loop { tile } = &s.kind {
            found.push((tile, s.span));
        }
    });
    found
}

/// What a loop reads and writes of GM; true for what it writes.
pub(super) fn accesses(outer: &TileLoop) -> Vec<(&Access, bool)> {
    let mut found = Vec::new();
    walk_stmts(&outer.body, &mut |s| found.extend(s.access().map(|a| (a, matches!(s.kind, StmtKind::Store { .. })))));
    found
}

/// How many indices a whole axis has.
fn whole(body: &Body, ax: AxId) -> Made<Scalar> {
    match body.axes.get(ax.index()).map(|decl| &decl.from) {
        Some(AxFrom::Whole { extent }) => Ok(extent.clone()),
        Some(AxFrom::Run { of: LoopId(id) }) => Err(Gap::of_kernel(format!("a loop over a run of loop `!{id}`"))),
        None => Err(Gap::of_kernel("an axis that is not declared")),
    }
}
