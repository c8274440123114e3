//! Reductions as calls of device functions.
//!
//! - Rows are reduced first, one axis or several neighbours at a time, by halving (`func::middle`);
//!   then lanes (`func::rows`).
//! - If all axes are reduced, lanes come first. One result for each data block takes fewer repeats
//!   than halving, and less work space. Integers and products have no such instruction.

use super::ops::Calls;
use super::shapes::Tile;
use crate::dtype::DType;
use crate::ir::scalar::product;
use crate::ir::{Axes, Scalar, TensorId, Ty, ValueId};
use crate::lower::func;
use crate::lower::func::{middle_work, Reduce};
use crate::lower::gap::{Gap, Made};
use crate::lower::memory::buffers::{Purpose, SlotId, Wanted};
use crate::lower::type_queries::Binding;
use crate::ops::{AxisReduceOp, Op};

/// The value that is still to be reduced.
struct Reduced {
    tensor: TensorId,
    ty: Ty,
    tile: Tile,
    /// The original value, if nothing has been reduced yet; its padding may be known.
    value: Option<ValueId>,
    /// Its memory, to be released.
    slot: Option<SlotId>,
}

/// True if the vector unit reduces a data block to one result.
fn has_block_steps(binding: &Binding<'_>, op: Reduce, ty: Ty) -> bool {
    op != Reduce::Prod && !binding.is(ty, DType::I32)
}

impl Calls<'_, '_, '_> {
    /// Reduces a value along some of its axes, optionally onto the content of the result's memory.
    pub(super) fn reduce(
        &mut self,
        op: AxisReduceOp,
        a: ValueId,
        over: &Axes,
        onto: bool,
    ) -> Made<()> {
        let ty = self.site.values.ty(a);
        let op = Reduce::of(op).ok_or_else(|| {
            Gap::new(
                format!("`{}` as it is", Op::AxisReduce(op).name()),
                self.span,
            )
        })?;
        let mut source = Reduced {
            tensor: self.site.home(a)?,
            ty,
            tile: self.site.values.tile(a)?,
            value: Some(a),
            slot: None,
        };
        let goes = |tile: &Tile| tile.lanes.as_ref().is_some_and(|l| over.contains(l.ax));
        if onto && (source.tile.lanes.is_none() || goes(&source.tile)) {
            return Err(Gap::new("a reduction of lanes onto a value", self.span));
        }
        if source.tile.lanes.is_none() {
            return self.reduce_dense(op, &source, over);
        }
        let all = goes(&source.tile) && source.tile.rows.iter().all(|r| over.contains(r.ax));
        if all && !source.tile.rows.is_empty() && has_block_steps(self.site.host.binding, op, ty) {
            return self.reduce_all(op, source, over);
        }
        while let Some(first) = source.tile.rows.iter().position(|r| over.contains(r.ax)) {
            let behind = source.tile.rows[first..]
                .iter()
                .position(|r| !over.contains(r.ax));
            let end = behind.map_or(source.tile.rows.len(), |n| first + n);
            source = self.reduce_rows(op, onto, source, first, end, over)?;
        }
        if goes(&source.tile) {
            self.reduce_lanes(op, &source, self.tensor)?;
        }
        source
            .slot
            .into_iter()
            .for_each(|slot| self.site.places.pool.release(slot));
        Ok(())
    }

    /// Reduces neighbouring axes of rows.
    fn reduce_rows(
        &mut self,
        op: Reduce,
        onto: bool,
        from: Reduced,
        first: usize,
        end: usize,
        over: &Axes,
    ) -> Made<Reduced> {
        let Reduced {
            tensor,
            ty,
            tile,
            slot,
            ..
        } = from;
        let Some((_, pitch)) = tile.row() else {
            return Err(Gap::new("rows of nothing", self.span));
        };
        let lanes = self.site.lanes(ty);
        let blocks = self.site.host.on_device(&(pitch / lanes), "row_blocks");
        let live =
            |rows: std::ops::Range<usize>| product(tile.rows[rows].iter().map(|r| r.live.clone()));
        let room =
            |rows: std::ops::Range<usize>| product(tile.rows[rows].iter().map(|r| r.room.clone()));
        let last = tile.rows.len();
        let of = |part: &dyn Fn(std::ops::Range<usize>) -> Scalar| {
            [
                part(0..first),
                part(first..end),
                product([part(end..last), blocks.clone()]),
            ]
        };
        let (sizes, [outer, rows, inner]) = (of(&live), of(&room));
        let kept: Vec<_> = tile
            .rows
            .iter()
            .enumerate()
            .filter(|(i, _)| !(first..end).contains(i))
            .map(|(_, r)| r.clone())
            .collect();
        let made = Tile {
            rows: kept,
            lanes: tile.lanes.clone(),
        };
        let is_last = made
            .rows
            .iter()
            .chain(&made.lanes)
            .all(|axis| !over.contains(axis.ax));
        let (to, own) = match is_last {
            true => (self.tensor, None),
            false => {
                let wanted = Wanted {
                    purpose: Purpose::Intermediate,
                    ..self.site.wanted(&made, ty, self.span)
                };
                let (slot, tensor) = self.site.places.take(&wanted);
                (tensor, Some(slot))
            }
        };
        let onto = onto && is_last;
        let work = self.work_space(middle_work(outer, &rows, inner, lanes, onto).max(lanes), ty);
        let func = self.site.host.funcs.reduce_middle(op, ty, lanes, onto);
        self.site.reduces = true;
        self.call(func, [to, tensor, work], sizes);
        slot.into_iter()
            .for_each(|slot| self.site.places.pool.release(slot));
        Ok(Reduced {
            tensor: to,
            ty,
            tile: made,
            value: None,
            slot: own,
        })
    }

    /// Reduces everything: the lanes of each row, then their results.
    fn reduce_all(&mut self, op: Reduce, from: Reduced, over: &Axes) -> Made<()> {
        let ty = from.ty;
        let tile = Tile {
            lanes: None,
            ..from.tile.clone()
        };
        let wanted = Wanted {
            purpose: Purpose::Intermediate,
            ..self.site.wanted(&tile, ty, self.span)
        };
        let (slot, tensor) = self.site.places.take(&wanted);
        self.reduce_lanes(op, &from, tensor)?;
        self.reduce_dense(
            op,
            &Reduced {
                tensor,
                ty,
                tile,
                value: None,
                slot: None,
            },
            over,
        )?;
        from.slot
            .into_iter()
            .chain([slot])
            .for_each(|slot| self.site.places.pool.release(slot));
        Ok(())
    }

    /// Reduces the lanes of each row.
    fn reduce_lanes(&mut self, op: Reduce, from: &Reduced, to: TensorId) -> Made<()> {
        let lanes = self.site.lanes(from.ty);
        let Some((cols, pitch)) = from.tile.row() else {
            return Err(Gap::new("lanes of nothing", self.span));
        };
        let blocks = self
            .site
            .host
            .on_device(&(pitch.clone() / lanes), "row_blocks");
        let rows = [from.tile.live_rows(), cols, blocks];
        self.reduce_to_results(op, from, to, rows, from.tile.room_rows(), pitch)
    }

    /// Reduces all elements of a tile without lanes, which are one row.
    fn reduce_dense(&mut self, op: Reduce, from: &Reduced, over: &Axes) -> Made<()> {
        if !from.tile.rows.iter().all(|r| over.contains(r.ax)) {
            let help = "reduce all of its axes, or loop over those that stay by `each`";
            return Err(Gap::not_yet(
                "a reduction of some axes of a tile that has no axis of lanes",
                help,
                self.span,
            ));
        }
        let lanes = self.site.lanes(from.ty);
        let (n, room) = (from.tile.live_rows(), from.tile.room_rows());
        let rows = [Scalar::Int(1), n.clone(), n.ceil_div(lanes)];
        self.reduce_to_results(
            op,
            from,
            self.tensor,
            rows,
            Scalar::Int(1),
            room.align_up(lanes),
        )
    }

    /// Reduces each row to one result.
    fn reduce_to_results(
        &mut self,
        op: Reduce,
        from: &Reduced,
        to: TensorId,
        rows: [Scalar; 3],
        room: Scalar,
        pitch: Scalar,
    ) -> Made<()> {
        let ty = from.ty;
        let lanes = self.site.lanes(ty);
        self.site.reduces = true;
        if !has_block_steps(self.site.host.binding, op, ty) {
            let a_row = self
                .site
                .host
                .on_device(&func::whole_work_a_row(&(pitch / lanes), lanes), "row_work");
            let work = self.work_space(product([room, a_row]) + func::whole_work_behind(lanes), ty);
            let neutral = op.begin(self.site.host.binding, ty);
            let func = self.site.host.funcs.reduce_folded(op, ty, lanes, neutral);
            self.call(func, [to, from.tensor, work], rows);
            return Ok(());
        }
        let a_row = self
            .site
            .host
            .on_device(&func::work_a_row(pitch, lanes), "row_work");
        let work = self.work_space(product([room, a_row]), ty);
        if !from
            .value
            .is_some_and(|v| self.site.padding.is_neutral(v, op))
        {
            let pad = self.site.host.funcs.pad(ty, lanes);
            self.call(
                pad,
                [from.tensor],
                rows.iter().cloned().chain([Scalar::Float(op.neutral())]),
            );
            from.value
                .into_iter()
                .for_each(|v| self.site.padding.filled(v, op, &self.site.values));
        }
        let func = self
            .site
            .host
            .funcs
            .reduce_rows(op, ty, lanes, self.site.host.chip.arch);
        self.call(func, [to, from.tensor, work], rows);
        Ok(())
    }
}
