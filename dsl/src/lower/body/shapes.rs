//! The tile values of a variant: their element types, and their extents in variables and sizes.
//!
//! Functions of the shape alone. Nothing here changes while statements are lowered.

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
    /// Elements of this turn.
    pub(super) live: Scalar,
    /// Elements that there is room for.
    pub(super) room: Scalar,
}

/// Extent of a value: rows of lanes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tile {
    /// The axes of its rows, from the outermost on; they lie densely.
    pub(super) rows: Vec<Axis>,
    /// The axis of its lanes; from row to row there is room for more.
    pub(super) lanes: Option<Axis>,
}

impl Tile {
    /// Elements that a buffer must hold.
    pub(super) fn room(&self) -> Scalar {
        product(
            [self.room_rows()]
                .into_iter()
                .chain(self.lanes.iter().map(|l| l.room.clone())),
        )
    }

    /// Elements that an element-wise op works on; padding between rows included.
    pub(super) fn live(&self) -> Scalar {
        match &self.lanes {
            Some(lanes) if !self.rows.is_empty() => product([self.live_rows(), lanes.room.clone()]),
            Some(lanes) => lanes.live.clone(),
            None => self.live_rows(),
        }
    }

    /// Rows of this turn.
    pub(super) fn live_rows(&self) -> Scalar {
        product(self.rows.iter().map(|r| r.live.clone()))
    }

    /// Rows that there is room for.
    pub(super) fn room_rows(&self) -> Scalar {
        product(self.rows.iter().map(|r| r.room.clone()))
    }

    /// Valid elements of a row and elements from row to row; `None` for one value a row.
    pub(super) fn row(&self) -> Option<(Scalar, Scalar)> {
        self.lanes
            .as_ref()
            .map(|l| (l.live.clone(), l.room.clone()))
    }

    /// Valid elements of a run, elements from run to run, and how many runs there are: rows, or all values of one a row.
    pub(super) fn runs(&self) -> [Scalar; 3] {
        match self.row() {
            Some((live, room)) => [live, room, self.live_rows()],
            None => [self.live_rows(), self.room_rows(), Scalar::Int(1)],
        }
    }

    /// Elements from one index of an axis to the next; none along one that it does not have.
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

    /// True where there is one value for each of several rows.
    pub(super) fn is_column_of_rows(&self) -> bool {
        !self.rows.is_empty() && self.lanes.is_none()
    }
}

/// What is known of the values and loops of a variant.
pub(super) struct Values<'h> {
    decls: &'h [ValueDecl],
    axes: &'h [AxDecl],
    binding: &'h Binding<'h>,
    pub(super) nest: &'h Nest,
    /// Indices of this turn of each axis that loops run over.
    lens: BTreeMap<AxId, VarId>,
    /// The first index of this turn of each, and the whole axis.
    starts: BTreeMap<AxId, (VarId, AxId)>,
    /// Where a compare works on whole repeats, which its operands must own.
    compares: bool,
    /// What is reduced.
    reduced: BTreeSet<ValueId>,
    pub(super) sizes: &'h Sizes,
    /// Bytes that buffers are rounded up to.
    round: i64,
    /// Bytes of a data block.
    block: i64,
    /// Rows that stand before the tile loop and meet those of its tiles.
    again: BTreeSet<ValueId>,
    /// What tensors promise to be indices.
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
        // Compare works on whole repeats, so its operands must own them.
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

    /// Elements of the row that a value stands for, which stand behind it once more: one call then takes two rows of a tile.
    pub(super) fn again(&self, v: ValueId) -> Option<VarId> {
        self.sizes.again.filter(|_| self.again.contains(&v))
    }

    /// How an access lies where it is copied to: as the tile that it is; or, turned, with its own last axis innermost, and around that the
    /// axis that is to lie innermost.
    pub(super) fn layout(&self, access: &Access) -> Made<Tile> {
        let axes = access.axes();
        let Some(last) = self.nest.turned(access) else {
            return self.tile_of(&axes);
        };
        let mut rows: Vec<AxId> = axes.iter().filter(|ax| *ax != last).collect();
        rows.sort_by_key(|ax| (self.nest.is_lane(*ax), self.nest.rank(*ax)));
        let Axis { ax, live, room } = self.axis(last)?;
        // The turns of a loop have data blocks of it (`Sizes::step`).
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

    /// True for a load whose elements lie in GM as in the tile; with `apart` what lies outside of its tensor is filled.
    pub(super) fn is_direct(&self, access: &Access, apart: bool) -> bool {
        self.spread(access).is_none()
            && self.nest.turned(access).is_none()
            && !self.is_single(access, apart)
    }

    /// True for an access of which no elements follow one another in GM: what lies innermost in UB does not stand at its last index, or
    /// data choose along it. Each of its elements is copied to a data block of its own.
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
        // One value a row: they follow one another in UB, whatever their axes are.
        let places: Vec<usize> = rows.iter().filter_map(|ax| place(*ax)).collect();
        let is_run = places
            .windows(2)
            .all(|two| self.are_one(access, two[0], two[1], apart));
        !places.last().is_none_or(|nth| ends_in(*nth) && is_run)
    }

    /// True where the axes at two indices are one in GM: the indices of the outer one follow one another, and the inner one goes through
    /// all of its entry of the shape.
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
        // Runs begin at an offset of their own, and an axis may be shorter than the entry that it goes through a part of.
        let whole = steps_by_one(&access.index[inner])
            && access.index[inner].offset == Scalar::Int(0)
            && self.is_own(access, inner);
        let inside = |nth: usize| !apart || self.is_own(access, nth);
        outer + 1 == inner && whole && steps_by_one(&access.index[outer]) && inside(outer)
    }

    /// True for an access whose runs, what lies innermost in UB, stay inside of the tensor: they go along an axis of its own.
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

    /// By how much a step along the innermost axis of an access moves its index, where that is not by one: what is loaded so lies in GM
    /// otherwise than in a tile.
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

    /// True for a load whose elements are copied to where the value lives.
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

    /// True where an index of an access stays inside because it is one of its own axis: all of it, a run, or a single index of a loop.
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

    /// What an axis is called.
    pub(super) fn name_of(&self, ax: AxId) -> &str {
        &self.axes[ax.index()].name
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

    /// True for an axis from end to end: the host knows how many indices it has.
    pub(super) fn is_whole(&self, ax: AxId) -> bool {
        !self.lens.contains_key(&ax) && self.hull(ax).is_none()
    }

    /// The run that an axis goes beyond, and by how much, where it is such an axis.
    fn hull(&self, ax: AxId) -> Option<(AxId, i64)> {
        match &self.axes[ax.index()].from {
            AxFrom::Hull { of, more } => Some((*of, *more)),
            AxFrom::Whole { .. } | AxFrom::Run { .. } => None,
        }
    }

    /// True for a value that may be part of another one: nothing fills what lies behind its rows, and no compare reads what lies behind its end.
    pub(super) fn may_be_part(&self, v: ValueId) -> bool {
        !self.compares
            && !self.is_mutable(v)
            && !self.reduced.contains(&v)
            && self.again(v).is_none()
    }

    /// Indices that a turn has of an axis; none of an axis that has none.
    pub(super) fn count(&self, ax: AxId) -> Made<Scalar> {
        if let Some((of, more)) = self.hull(ax) {
            return Ok(self.count(of)? + more);
        }
        match self.lens.get(&ax) {
            Some(len) => Ok(Scalar::Var(*len)),
            None => self.sizes.extent(ax),
        }
    }

    /// True for the number of indices of this turn along an axis of a loop, where the size that is found of its runs bounds it.
    pub(super) fn is_count_of_run(&self, n: &Scalar) -> bool {
        self.lens
            .iter()
            .any(|(ax, len)| *n == Scalar::Var(*len) && self.sizes.is_found(self.nest.whole(*ax)))
    }

    /// Indices of a run that there is room for, what a turn steps by; of whole lanes the elements from row to row.
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

    /// The extent of what has these axes.
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

    /// Bytes of a buffer for elements of `ty` over a tile.
    pub(super) fn bytes(&self, host: &Host<'_>, tile: &Tile, ty: Ty) -> Scalar {
        self.bytes_of(host, tile.room(), ty)
    }

    /// Bytes of a buffer for so many elements.
    pub(super) fn bytes_of(&self, host: &Host<'_>, elements: Scalar, ty: Ty) -> Scalar {
        match ty {
            Ty::Mask => elements.ceil_div(8).align_up(self.block),
            Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) => {
                host.rounded(elements * Scalar::SizeOf(ty), self.round)
            }
        }
    }

    /// Bytes of a buffer for a value.
    pub(super) fn value_bytes(&self, host: &Host<'_>, v: ValueId) -> Made<Scalar> {
        let elements = self.tile(v)?.room();
        let elements = self
            .again(v)
            .map_or(elements.clone(), |again| elements + again);
        Ok(self.bytes_of(host, elements, self.ty(v)))
    }
}

/// The values that something is reduced of.
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
