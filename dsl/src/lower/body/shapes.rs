//! The tile values of a variant: their element types, and their extents in variables and sizes.
//!
//! These are functions of the shape alone. Nothing here changes while statements are lowered.

use crate::ir::scalar::product;
use crate::ir::tile::{Body, Stmt};
use crate::ir::{
    Access, AxDecl, AxFrom, AxId, Axes, Index, ParamId, Scalar, StmtKind, Term, TileExpr, TileStmt,
    Ty, ValueDecl, ValueId, VarId,
};
use crate::lower::gap::Made;
use crate::lower::host::tile_sizes::Sizes;
use crate::lower::host::Host;
use crate::lower::nest::{met_by_rows, Divided, Loop, Nest};
use crate::lower::type_queries::Binding;
use std::collections::{BTreeMap, BTreeSet};

/// One axis of a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) ax: AxId,
    /// Elements in this iteration.
    pub(super) live: Scalar,
    /// Elements for which there is room.
    pub(super) room: Scalar,
}

/// The extent of a value: rows of lanes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tile {
    /// The axes of its rows, from the outermost on; they lie densely.
    pub(super) rows: Vec<Axis>,
    /// The axis of its lanes; rows may have padding behind them.
    pub(super) lanes: Option<Axis>,
}

impl Tile {
    /// Returns the elements that a buffer must hold.
    pub(super) fn room(&self) -> Scalar {
        product(
            [self.room_rows()]
                .into_iter()
                .chain(self.lanes.iter().map(|l| l.room.clone())),
        )
    }

    /// Returns the elements of an element-wise op, with padding between rows.
    pub(super) fn live(&self) -> Scalar {
        match &self.lanes {
            Some(lanes) if !self.rows.is_empty() => product([self.live_rows(), lanes.room.clone()]),
            Some(lanes) => lanes.live.clone(),
            None => self.live_rows(),
        }
    }

    /// Returns the rows of this iteration.
    pub(super) fn live_rows(&self) -> Scalar {
        product(self.rows.iter().map(|r| r.live.clone()))
    }

    /// Returns the rows for which there is room.
    pub(super) fn room_rows(&self) -> Scalar {
        product(self.rows.iter().map(|r| r.room.clone()))
    }

    /// Returns the valid elements of a row, and the pitch; `None` for one value a row.
    pub(super) fn row(&self) -> Option<(Scalar, Scalar)> {
        self.lanes
            .as_ref()
            .map(|l| (l.live.clone(), l.room.clone()))
    }

    /// Returns the valid elements of a run, the distance of runs, and their number. Runs are rows;
    /// a tile of one value a row is a single run.
    pub(super) fn runs(&self) -> [Scalar; 3] {
        match self.row() {
            Some((live, room)) => [live, room, self.live_rows()],
            None => [self.live_rows(), self.room_rows(), Scalar::Int(1)],
        }
    }

    /// Returns the elements from one index of an axis to the next; `None` if the tile lacks the
    /// axis.
    pub(super) fn apart(&self, ax: AxId) -> Option<Scalar> {
        if self.lanes.as_ref().is_some_and(|l| l.ax == ax) {
            return Some(Scalar::Int(1));
        }
        let at = self.rows.iter().position(|r| r.ax == ax)?;
        Some(product(
            self.rows[at + 1..]
                .iter()
                .map(|r| r.live.clone())
                .chain(self.lanes.iter().map(|l| l.room.clone())),
        ))
    }

    pub(super) fn is_column(&self) -> bool {
        self.lanes.is_none()
    }

    /// True if there is one value for each of several rows.
    pub(super) fn is_column_of_rows(&self) -> bool {
        !self.rows.is_empty() && self.lanes.is_none()
    }
}

/// Facts about the values and loops of a variant.
pub(super) struct Values<'h> {
    decls: &'h [ValueDecl],
    axes: &'h [AxDecl],
    binding: &'h Binding<'h>,
    pub(super) nest: &'h Nest,
    /// For axes of loops, the number of indices in this iteration.
    lens: BTreeMap<AxId, VarId>,
    /// For axes of loops, the first index of this iteration, and the whole axis.
    starts: BTreeMap<AxId, (VarId, AxId)>,
    /// True if something is compared: compares read whole repeats, which their operands must own.
    compares: bool,
    /// The operands of reductions.
    reduced: BTreeSet<ValueId>,
    pub(super) sizes: &'h Sizes,
    /// Bytes to which buffers are rounded up.
    round: i64,
    /// Bytes of a data block.
    block: i64,
    /// Rows before the tile loop that are operands beside its rows.
    again: BTreeSet<ValueId>,
    /// Values that tensors promise to be indices.
    pub(super) promised: BTreeMap<ValueId, (ParamId, Scalar)>,
}

impl<'h> Values<'h> {
    pub(super) fn new(src: Loop<'h>, host: &Host<'h>, sizes: &'h Sizes) -> Self {
        let Loop { body, nest } = src;
        let (mut lens, mut starts) = (BTreeMap::new(), BTreeMap::new());
        body.walk(&mut |s| {
            if let StmtKind::Do(TileStmt::Loop { tile }) = &s.kind {
                lens.extend(tile.specs.iter().map(|spec| (spec.ax, spec.len)));
                starts.extend(
                    tile.specs
                        .iter()
                        .map(|spec| (spec.ax, (spec.start, spec.of))),
                );
            }
        });
        let block = host.chip.data_block_bytes;
        // Compare reads whole repeats, so its operands must own them.
        let compares = compares(body);
        let round = if compares {
            host.chip.repeat_bytes
        } else {
            block
        };
        let again = if sizes.again.is_some() {
            met_by_rows(src)
        } else {
            BTreeSet::new()
        };
        Values {
            decls: &body.values,
            axes: &body.axes,
            binding: host.binding,
            nest,
            lens,
            starts,
            compares,
            reduced: reduced(body),
            sizes,
            round,
            block,
            again,
            promised: body.promised(host.sig()),
        }
    }

    /// Returns the elements of a row that is stored twice, so that one call takes two rows of a
    /// tile.
    pub(super) fn again(&self, v: ValueId) -> Option<VarId> {
        self.sizes.again.filter(|_| self.again.contains(&v))
    }

    /// Returns the layout of an access in UB. A turned access has its own last axis innermost, and
    /// around it the lane axis.
    pub(super) fn layout(&self, access: &Access) -> Made<Tile> {
        let axes = access.axes();
        let Some(last) = self.nest.turned(access) else {
            return self.tile_of(&axes);
        };
        let mut rows: Vec<AxId> = axes.iter().filter(|ax| *ax != last).collect();
        rows.sort_by_key(|ax| (self.nest.is_lane(*ax), self.nest.rank(*ax)));
        let Axis { ax, live, room } = self.axis(last)?;
        // Iterations of such a loop have whole data blocks of it (`Sizes::step`).
        let in_blocks = self.lens.contains_key(&last) && self.nest.divided == Divided::Turns;
        let room = if in_blocks {
            room
        } else {
            room.align_up(self.sizes.block_lanes)
        };
        let lanes = Axis { ax, live, room };
        Ok(Tile {
            rows: rows
                .into_iter()
                .map(|ax| self.axis(ax))
                .collect::<Made<_>>()?,
            lanes: Some(lanes),
        })
    }

    /// True for a load whose elements have the same order in GM and in the tile. With `apart`, it
    /// may have elements outside of its tensor, which are filled.
    pub(super) fn is_direct(&self, access: &Access, apart: bool) -> bool {
        self.spread(access).is_none()
            && self.nest.turned(access).is_none()
            && !self.is_single(access, apart)
    }

    /// True for an access without contiguous elements in GM: the innermost axis in UB is not its
    /// last index, or it chooses by data. Each element is copied to a data block of its own.
    pub(super) fn is_single(&self, access: &Access, apart: bool) -> bool {
        let (rows, lanes) = self.nest.sides(&access.axes());
        let is_last = |nth: usize| {
            access.dims[nth + 1..]
                .iter()
                .all(|dim| *dim == Scalar::Int(1))
        };
        let place = |ax: AxId| {
            access
                .index
                .iter()
                .position(|index| index.terms.iter().any(|term| term.ax == ax))
        };
        let ends_in = |nth: usize| access.index[nth].ids.is_none() && is_last(nth);
        if let Some(inner) = self.nest.turned(access).or(lanes) {
            return !place(inner).is_some_and(ends_in);
        }
        // Tiles of one value a row are dense in UB, whatever their axes are.
        let places: Vec<usize> = rows.iter().filter_map(|ax| place(*ax)).collect();
        let is_run = places
            .windows(2)
            .all(|two| self.are_one(access, two[0], two[1], apart));
        !places.last().is_none_or(|nth| ends_in(*nth) && is_run)
    }

    /// True if the axes at two indices are one axis in GM. The outer one must move by one, and the
    /// inner one must cover its whole dimension.
    pub(super) fn are_one(&self, access: &Access, outer: usize, inner: usize, apart: bool) -> bool {
        let steps_by_one = |index: &Index| {
            index.ids.is_none()
                && matches!(
                    &index.terms[..],
                    [Term {
                        factor: Scalar::Int(1),
                        ..
                    }]
                )
        };
        // A run begins at an offset, and an axis may cover only part of its dimension.
        let whole = steps_by_one(&access.index[inner])
            && access.index[inner].offset == Scalar::Int(0)
            && self.is_own(access, inner);
        let inside = |nth: usize| !apart || self.is_own(access, nth);
        outer + 1 == inner && whole && steps_by_one(&access.index[outer]) && inside(outer)
    }

    /// True if the runs of an access, along the innermost axis in UB, stay inside of the tensor
    /// because the axis is the tensor's own.
    pub(super) fn is_inside_along_run(&self, access: &Access) -> bool {
        let (rows, lanes) = self.nest.sides(&access.axes());
        let Some(run) = lanes.or(rows.last().copied()) else {
            return true;
        };
        let along = |index: &Index| index.terms.iter().any(|term| term.ax == run);
        access
            .index
            .iter()
            .position(along)
            .is_some_and(|nth| self.is_own(access, nth))
    }

    /// Returns the step of the index along the innermost axis, if it is not 1. Such loads have
    /// another layout in GM than in a tile.
    pub(super) fn spread<'a>(&self, access: &'a Access) -> Option<&'a Scalar> {
        let (rows, lanes) = self.nest.sides(&access.axes());
        let inner = self
            .nest
            .turned(access)
            .or(lanes)
            .or(rows.last().copied())?;
        let term = access
            .index
            .iter()
            .flat_map(|index| &index.terms)
            .find(|term| term.ax == inner)?;
        (term.factor != Scalar::Int(1)).then_some(&term.factor)
    }

    /// True for a load whose elements are copied to the value's own memory.
    pub(super) fn is_direct_load(&self, expr: &TileExpr) -> bool {
        match expr {
            TileExpr::Load { from } => self.is_direct(from, false),
            TileExpr::LoadOr { from, .. } => self.is_direct(from, true),
            TileExpr::Fill { .. }
            | TileExpr::Iota { .. }
            | TileExpr::Across { .. }
            | TileExpr::Appended { .. }
            | TileExpr::Reduce { .. }
            | TileExpr::Op { .. }
            | TileExpr::Cast { .. }
            | TileExpr::Truncate { .. }
            | TileExpr::Round { .. }
            | TileExpr::Pick { .. }
            | TileExpr::Top { .. }
            | TileExpr::Scan { .. }
            | TileExpr::Copy { .. } => false,
        }
    }

    /// True if an index of an access stays inside because it is over the tensor's own axis: all of
    /// it, a run, or a single index of a loop.
    pub(super) fn is_own(&self, access: &Access, nth: usize) -> bool {
        let (index, dim) = (&access.index[nth], &access.dims[nth]);
        if index.ids.is_some() {
            return false;
        }
        let is_dim = |of: AxId| self.nest.extent(of).is_ok_and(|extent| extent == dim);
        match &index.terms[..] {
            [] => {
                let number = index
                    .offset
                    .as_int()
                    .zip(dim.as_int())
                    .is_some_and(|(at, dim)| (0..dim).contains(&at));
                let mut starts = self
                    .starts
                    .values()
                    .filter(|(start, _)| index.offset == Scalar::Var(*start));
                number || starts.any(|(_, of)| is_dim(*of))
            }
            [term] if term.factor == Scalar::Int(1) => match self.starts.get(&term.ax) {
                Some((start, of)) => index.offset == Scalar::Var(*start) && is_dim(*of),
                None => index.offset == Scalar::Int(0) && is_dim(term.ax),
            },
            _ => false,
        }
    }

    fn decl(&self, v: ValueId) -> &ValueDecl {
        &self.decls[v.index()]
    }

    pub(super) fn name_of(&self, ax: AxId) -> &str {
        &self.axes[ax.index()].name
    }

    pub(super) fn name(&self, v: ValueId) -> &str {
        &self.decl(v).name
    }

    pub(super) fn ty(&self, v: ValueId) -> Ty {
        self.decl(v).dtype
    }

    /// Returns the bytes of an element.
    pub(super) fn size(&self, ty: Ty) -> i64 {
        self.binding.bytes(ty)
    }

    pub(super) fn is_mutable(&self, v: ValueId) -> bool {
        self.decl(v).mutable
    }

    /// True for values of equal extent and element type.
    pub(super) fn are_alike(&self, a: ValueId, b: ValueId) -> bool {
        let rows = self.again.contains(&a) == self.again.contains(&b);
        rows && self.decl(a).axes == self.decl(b).axes && self.binding.same(self.ty(a), self.ty(b))
    }

    /// True for a whole axis, whose extent the host knows.
    pub(super) fn is_whole(&self, ax: AxId) -> bool {
        !self.lens.contains_key(&ax) && self.hull(ax).is_none()
    }

    /// Returns the run that a hull extends, and the number of additional rows.
    fn hull(&self, ax: AxId) -> Option<(AxId, i64)> {
        match &self.axes[ax.index()].from {
            AxFrom::Hull { of, more } => Some((*of, *more)),
            AxFrom::Whole { .. } | AxFrom::Run { .. } => None,
        }
    }

    /// True if a value may be part of another one: no reduction fills its padding, and no compare
    /// reads beyond its end.
    pub(super) fn may_be_part(&self, v: ValueId) -> bool {
        !self.compares
            && !self.is_mutable(v)
            && !self.reduced.contains(&v)
            && self.again(v).is_none()
    }

    /// Returns the indices of an axis in this iteration; 0 for an empty axis.
    pub(super) fn count(&self, ax: AxId) -> Made<Scalar> {
        if let Some((of, more)) = self.hull(ax) {
            return Ok(self.count(of)? + more);
        }
        match self.lens.get(&ax) {
            Some(len) => Ok(Scalar::Var(*len)),
            None => self.sizes.extent(ax),
        }
    }

    /// True for the number of indices of a run in this iteration, if a solved size bounds it.
    pub(super) fn is_count_of_run(&self, n: &Scalar) -> bool {
        self.lens
            .iter()
            .any(|(ax, len)| *n == Scalar::Var(*len) && self.sizes.is_found(self.nest.whole(*ax)))
    }

    /// Returns the indices of a run for which there is room, which is its step. For whole lanes it
    /// is the pitch.
    pub(super) fn room(&self, ax: AxId) -> Made<Scalar> {
        if let Some((of, more)) = self.hull(ax) {
            return Ok(self.room(of)? + more);
        }
        let whole = self.nest.whole(ax);
        match self.lens.contains_key(&ax) {
            true => self.sizes.run(whole),
            false if self.nest.is_lane(whole) => self.sizes.pitch(whole),
            false => self.sizes.rows_of(whole),
        }
    }

    fn axis(&self, ax: AxId) -> Made<Axis> {
        let room = self.room(ax)?;
        let is_row = !self.nest.is_lane(ax) && self.is_whole(ax);
        Ok(Axis {
            ax,
            live: if is_row {
                room.clone()
            } else {
                self.count(ax)?
            },
            room,
        })
    }

    pub(super) fn tile(&self, v: ValueId) -> Made<Tile> {
        self.tile_of(self.axes(v))
    }

    /// Returns the extent of a value with these axes.
    pub(super) fn tile_of(&self, axes: &Axes) -> Made<Tile> {
        let (rows, lanes) = self.nest.sides(axes);
        let rows = rows
            .into_iter()
            .map(|ax| self.axis(ax))
            .collect::<Made<_>>()?;
        Ok(Tile {
            rows,
            lanes: lanes.map(|ax| self.axis(ax)).transpose()?,
        })
    }

    pub(super) fn axes(&self, v: ValueId) -> &Axes {
        &self.decl(v).axes
    }

    /// Returns the bytes of a buffer for elements of `ty` over a tile.
    pub(super) fn bytes(&self, host: &Host<'_>, tile: &Tile, ty: Ty) -> Scalar {
        self.bytes_of(host, tile.room(), ty)
    }

    /// Returns the bytes of a buffer for so many elements.
    pub(super) fn bytes_of(&self, host: &Host<'_>, elements: Scalar, ty: Ty) -> Scalar {
        match ty {
            Ty::Mask => elements.ceil_div(8).align_up(self.block),
            Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) => {
                host.rounded(elements * Scalar::SizeOf(ty), self.round)
            }
        }
    }

    /// Returns the bytes of a buffer for a value.
    pub(super) fn value_bytes(&self, host: &Host<'_>, v: ValueId) -> Made<Scalar> {
        let elements = self.tile(v)?.room();
        let elements = self
            .again(v)
            .map_or(elements.clone(), |again| elements + again);
        Ok(self.bytes_of(host, elements, self.ty(v)))
    }
}

/// Returns the operands of reductions.
fn reduced(src: &Body) -> BTreeSet<ValueId> {
    let mut found = BTreeSet::new();
    src.walk(&mut |s: &Stmt| {
        if let StmtKind::Do(TileStmt::Def {
            expr: expr @ TileExpr::Reduce { .. },
            ..
        }) = &s.kind
        {
            found.extend(expr.operands());
        }
    });
    found
}

fn compares(src: &Body) -> bool {
    let mut found = false;
    src.walk(&mut |s: &Stmt| {
        found |= matches!(&s.kind, StmtKind::Do(TileStmt::Def { value, .. }) if src.values[value.index()].dtype == Ty::Mask);
    });
    found
}
