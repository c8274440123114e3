//! The tile values of a variant: their element types, and their extents in variables and sizes.
//!
//! Functions of the shape alone. Nothing here changes while statements are lowered.

use super::binding::Binding;
use super::host::Host;
use super::nest::{Along, Nest};
use super::sizes::Sizes;
use super::{Gap, Made};
use crate::ir::{AxId, Axes, Body, Operand, Scalar, Stmt, StmtKind, TileExpr, Ty, ValueDecl, ValueId, VarId};
use crate::ops::Op;
use std::collections::{BTreeMap, BTreeSet};

/// One axis of a value.
#[derive(Clone, Debug, PartialEq)]
struct Axis {
    ax: AxId,
    /// Elements of this turn.
    live: Scalar,
    /// Elements that there is room for.
    room: Scalar,
}

/// Extent of a value; an axis that is left out is one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tile {
    rows: Option<Axis>,
    cols: Option<Axis>,
}

impl Tile {
    /// Elements that a buffer must hold.
    fn room(&self) -> Scalar {
        let rows = self.rows.as_ref().map_or(Scalar::Int(1), |r| r.room.clone());
        match &self.cols {
            Some(c) => rows * c.room.clone(),
            None => rows,
        }
    }

    /// Elements that an element-wise op works on; padding between rows included.
    pub(super) fn live(&self) -> Scalar {
        match (&self.rows, &self.cols) {
            (Some(r), Some(c)) => r.live.clone() * c.room.clone(),
            (None, Some(c)) => c.live.clone(),
            (Some(r), None) => r.live.clone(),
            (None, None) => Scalar::Int(1),
        }
    }

    /// Rows of this turn.
    pub(super) fn live_rows(&self) -> Scalar {
        self.rows.as_ref().map_or(Scalar::Int(1), |r| r.live.clone())
    }

    /// Rows that there is room for.
    pub(super) fn room_rows(&self) -> Scalar {
        self.rows.as_ref().map_or(Scalar::Int(1), |r| r.room.clone())
    }

    /// Valid elements of a row and elements from row to row; `None` for one value a row.
    pub(super) fn row(&self) -> Option<(Scalar, Scalar)> {
        self.cols.as_ref().map(|c| (c.live.clone(), c.room.clone()))
    }

    pub(super) fn is_column(&self) -> bool {
        self.cols.is_none()
    }

    /// True where there is one value for each of several rows.
    pub(super) fn is_column_of_rows(&self) -> bool {
        self.rows.is_some() && self.cols.is_none()
    }
}

/// What is known of the values and loops of a variant.
pub(super) struct Values<'h> {
    decls: &'h [ValueDecl],
    binding: &'h Binding<'h>,
    pub(super) nest: &'h Nest,
    /// Indices of this turn of each axis that loops run over.
    lens: BTreeMap<AxId, VarId>,
    sizes: &'h Sizes,
    /// Bytes that buffers are rounded up to.
    round: i64,
    /// Bytes of a data block.
    block: i64,
    /// Rows that stand before the tile loop and meet those of its tiles.
    again: BTreeSet<ValueId>,
}

impl<'h> Values<'h> {
    pub(super) fn new(src: &'h Body, nest: &'h Nest, host: &Host<'h>, sizes: &'h Sizes) -> Self {
        let mut lens = BTreeMap::new();
        src.walk(&mut |s| {
            if let StmtKind::Loop { tile } = &s.kind {
                lens.extend(tile.specs.iter().map(|spec| (spec.ax, spec.len)));
            }
        });
        let block = host.chip.data_block_bytes;
        // Compare works on whole repeats, so its operands must own them.
        let round = if compares(src) { host.chip.repeat_bytes } else { block };
        let again = if sizes.again.is_some() { met_by_rows(src, nest) } else { BTreeSet::new() };
        Values { decls: &src.values, binding: host.binding, nest, lens, sizes, round, block, again }
    }

    /// Elements of the row that a value stands for, which stand behind it once more: one call then takes two rows of a tile.
    pub(super) fn again(&self, v: ValueId) -> Option<VarId> {
        self.sizes.again.filter(|_| self.again.contains(&v))
    }

    fn decl(&self, v: ValueId) -> &ValueDecl {
        &self.decls[v.index()]
    }

    pub(super) fn name(&self, v: ValueId) -> &str {
        &self.decl(v).name
    }

    pub(super) fn ty(&self, v: ValueId) -> Ty {
        self.decl(v).dtype
    }

    /// Bytes of an element.
    pub(super) fn size(&self, ty: Ty) -> i64 {
        self.binding.bytes(ty)
    }

    pub(super) fn is_mutable(&self, v: ValueId) -> bool {
        self.decl(v).mutable
    }

    /// True for values of one extent and element type.
    pub(super) fn are_alike(&self, a: ValueId, b: ValueId) -> bool {
        let rows = self.again.contains(&a) == self.again.contains(&b);
        rows && self.decl(a).axes == self.decl(b).axes && self.binding.same(self.ty(a), self.ty(b))
    }

    /// Columns of a whole row.
    pub(super) fn whole_row(&self) -> Made<Scalar> {
        known(self.sizes.cols, "the columns of a loop over elements")
    }

    /// The size of an axis of a tensor, on the device; only that of a row is known there.
    pub(super) fn size_of_axis(&self, dim: &Scalar) -> Option<Scalar> {
        let is_row = self.nest.row.as_ref().is_some_and(|(_, row)| row == dim);
        self.sizes.cols.filter(|_| is_row).map(Scalar::Var)
    }

    /// Rows that a tile has room for.
    pub(super) fn tile_rows(&self) -> Made<Scalar> {
        known(self.sizes.rows, "the rows of a loop over elements")
    }

    /// Indices that a turn has of an axis.
    pub(super) fn live(&self, ax: AxId) -> Made<Scalar> {
        match self.nest.along(ax)? {
            Along::Row => self.whole_row(),
            Along::Elements | Along::Rows | Along::Columns => {
                known(self.lens.get(&ax).copied(), "an axis whose loop there is not")
            }
        }
    }

    /// Indices of an axis that there is room for: of a whole row the elements from row to row, of others what a turn steps by.
    pub(super) fn room(&self, ax: AxId) -> Made<Scalar> {
        match self.nest.along(ax)? {
            Along::Elements => known(self.sizes.tile_length, "a tile without a size"),
            Along::Rows => self.tile_rows(),
            Along::Row => known(self.sizes.pitch, "rows without a pitch"),
            Along::Columns => known(self.sizes.col_tile, "a column tile without a size"),
        }
    }

    pub(super) fn tile(&self, v: ValueId) -> Made<Tile> {
        let axis = |ax: AxId| Ok(Axis { ax, live: self.live(ax)?, room: self.room(ax)? });
        let (rows, cols) = self.nest.sides(self.axes(v))?;
        Ok(Tile { rows: rows.map(axis).transpose()?, cols: cols.map(axis).transpose()? })
    }

    pub(super) fn axes(&self, v: ValueId) -> &Axes {
        &self.decl(v).axes
    }

    /// Bytes of a buffer for elements of `ty` over a tile.
    pub(super) fn bytes(&self, host: &Host<'_>, tile: &Tile, ty: Ty) -> Scalar {
        self.bytes_of(host, tile.room(), ty)
    }

    fn bytes_of(&self, host: &Host<'_>, elements: Scalar, ty: Ty) -> Scalar {
        match ty {
            Ty::Mask => elements.ceil_div(8).align_up(self.block),
            Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) => host.rounded(elements * Scalar::SizeOf(ty), self.round),
        }
    }

    /// Bytes of a buffer for a value.
    pub(super) fn value_bytes(&self, host: &Host<'_>, v: ValueId) -> Made<Scalar> {
        let elements = self.tile(v)?.room();
        let elements = self.again(v).map_or(elements.clone(), |again| elements + again);
        Ok(self.bytes_of(host, elements, self.ty(v)))
    }
}

fn known(var: Option<VarId>, what: &str) -> Made<Scalar> {
    var.map(Scalar::Var).ok_or_else(|| Gap::of_kernel(what))
}

fn compares(src: &Body) -> bool {
    let mut found = false;
    src.walk(&mut |s: &Stmt| {
        found |= matches!(&s.kind, StmtKind::Def { value, .. } if src.values[value.index()].dtype == Ty::Mask);
    });
    found
}

/// Rows that are defined before the tile loop and are an operand beside whole rows.
pub(super) fn met_by_rows(src: &Body, nest: &Nest) -> BTreeSet<ValueId> {
    let decl = |v: ValueId| &src.values[v.index()];
    let before = |v: &ValueId| {
        let defines = |s: &Stmt| matches!(&s.kind, StmtKind::Def { value, .. } if value == v);
        !decl(*v).axes.contains(nest.outer) && !decl(*v).mutable && src.stmts.iter().any(defines)
    };
    let mut met = BTreeSet::new();
    src.walk(&mut |s| {
        let StmtKind::Def { value, expr: TileExpr::Op { op: Op::Binary(_), args } } = &s.kind else { return };
        let values: Vec<ValueId> = args.iter().filter_map(Operand::value).collect();
        let axes = &decl(*value).axes;
        if axes.contains(nest.outer) && values.iter().any(|v| decl(*v).axes == *axes) {
            met.extend(values.into_iter().filter(before));
        }
    });
    met
}
