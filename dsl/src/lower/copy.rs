//! Copies between GM and UB: which elements an access touches, and the instruction.
//!
//! One copy takes rows that lie equally far apart. Axes whose indices follow one another in GM, one whole axis inside another, are one
//! axis of rows; beyond one axis of rows the copy stands in loops.

use super::ops::instr;
use super::site::Site;
use super::values::product;
use super::{Gap, Made};
use crate::ir::{Access, AxId, Extent, Scalar, ScalarTy, SpanId, Stmt, StmtKind, TensorId, View};
use crate::ops::CopyOp;

/// Which way a copy goes.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    In,
    Out,
}

/// The copy of a part of a tensor into UB.
pub(super) fn copy_in(site: &mut Site<'_, '_>, access: &Access, tensor: TensorId, span: SpanId, out: &mut Vec<Stmt>) -> Made<()> {
    copy(site, (Way::In, access, tensor), span, out)
}

/// The copy of a tensor to its place in GM.
pub(super) fn copy_out(
    site: &mut Site<'_, '_>,
    access: &Access,
    tensor: TensorId,
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Made<()> {
    copy(site, (Way::Out, access, tensor), span, out)
}

/// An axis of an access, or several that are one in GM.
struct Level {
    ax: AxId,
    /// Indices of this turn.
    count: Scalar,
    /// Elements from one to the next in GM.
    stride: Scalar,
    /// The first of its indices among those of the access.
    nth: usize,
    /// True where its steps are those of the tensor.
    dense: bool,
    /// Elements from one to the next in UB.
    ub: Scalar,
}

fn copy(site: &mut Site<'_, '_>, (way, access, tensor): (Way, &Access, TensorId), span: SpanId, out: &mut Vec<Stmt>) -> Made<()> {
    let place = Place::of(site, access)?;
    let (mut rows, lanes) = levels(site, access, &place)?;
    let (cols, inner) = match &lanes {
        Some(lanes) if lanes.stride != Scalar::Int(1) => return Err(scattered(span)),
        Some(lanes) => (lanes.count.clone(), rows.pop()),
        None => match rows.pop() {
            None => (Scalar::Int(1), None),
            // One value a row: they follow one another in UB, and must in GM.
            Some(all) if rows.is_empty() && all.stride == Scalar::Int(1) => (all.count, None),
            Some(_) => return Err(scattered(span)),
        },
    };
    // Rows of a copy go forward; backwards they are copies of one row.
    let inner = inner.and_then(|level| match is_backwards(access, &level) {
        true => {
            rows.push(level);
            None
        }
        false => Some(level),
    });
    let (mut gm_at, mut ub_at, mut loops) = (place.at, Scalar::Int(0), Vec::new());
    for level in rows {
        let name = format!("{}_index", site.values.name_of(level.ax));
        let var = site.host.fresh(&name, ScalarTy::Index);
        gm_at = plus(gm_at, Scalar::Var(var) * level.stride);
        ub_at = plus(ub_at, Scalar::Var(var) * level.ub);
        loops.push((var, level.count));
    }
    let (mut gm, mut ub) = (View::gm(access.of, gm_at), View::local(tensor, ub_at));
    let rows = match inner {
        Some(level) => {
            (gm, ub) = (gm.rows(level.stride), ub.rows(level.ub));
            level.count
        }
        None => Scalar::Int(1),
    };
    let pads = site.host.chip.has_data_copy_pad;
    let (op, views) = match way {
        Way::In => (if pads { CopyOp::InPad } else { CopyOp::In }, [ub, gm]),
        Way::Out => (if pads { CopyOp::OutPad } else { CopyOp::Out }, [gm, ub]),
    };
    let copied = instr(op, Extent::Rows { rows, cols }, views.map(Into::into), span);
    let in_loops = |body: Stmt, (var, to)| Stmt { kind: StmtKind::For { var, from: Scalar::Int(0), to, body: vec![body] }, span };
    out.push(loops.into_iter().rev().fold(copied, in_loops));
    Ok(())
}

/// The rows of an access, from the outermost level on, and its lanes.
fn levels(site: &Site<'_, '_>, access: &Access, place: &Place) -> Made<(Vec<Level>, Option<Level>)> {
    let tile = site.values.tile_of(&access.axes())?;
    let pitch = tile.row().map_or(Scalar::Int(1), |(_, pitch)| pitch);
    let level = |ax: AxId, ub: Scalar| {
        let (nth, stride) = place.stride(ax)?;
        let dense = access.index[nth].terms.iter().all(|term| term.factor == Scalar::Int(1));
        Ok(Level { ax, count: site.values.count(ax)?, stride, nth, dense, ub })
    };
    let mut rows: Vec<Level> = Vec::new();
    for (at, axis) in tile.rows.iter().enumerate() {
        let behind = product(tile.rows[at + 1..].iter().map(|axis| axis.live.clone()));
        let next = level(axis.ax, product([behind, pitch.clone()]))?;
        match rows.last_mut() {
            Some(last) if last.dense && last.nth + 1 == next.nth && place.is_whole(access, &next) => {
                last.count = product([last.count.clone(), next.count]);
                (last.nth, last.stride, last.ub) = (next.nth, next.stride, next.ub);
            }
            _ => rows.push(next),
        }
    }
    let lanes = tile.lanes.as_ref().map(|axis| level(axis.ax, Scalar::Int(1))).transpose()?;
    Ok((rows, lanes))
}

/// Where an access begins in its tensor, and how far apart the indices of each axis are there.
struct Place {
    at: Scalar,
    /// Each axis with the index that it is part of, and its stride.
    strides: Vec<(AxId, usize, Scalar)>,
}

impl Place {
    fn of(site: &mut Site<'_, '_>, access: &Access) -> Made<Place> {
        let (mut at, mut strides) = (Vec::new(), Vec::new());
        let mut stride = Scalar::Int(1);
        for (nth, (dim, index)) in access.dims.iter().zip(&access.index).enumerate().rev() {
            let times = |s: &Scalar| product([s.clone(), stride.clone()]);
            let offset = site.host.on_device(&index.offset, "offset");
            at.extend((offset != Scalar::Int(0)).then(|| times(&offset)));
            for term in &index.terms {
                strides.push((term.ax, nth, times(&site.host.on_device(&term.factor, "factor"))));
            }
            // What is before the outermost index has no stride of its own.
            if nth > 0 {
                let dim = site.host.known("dim", dim);
                stride = product([dim, stride]);
            }
        }
        let at = at.into_iter().rev().reduce(|a, b| a + b).unwrap_or(Scalar::Int(0));
        Ok(Place { at, strides })
    }

    fn stride(&self, ax: AxId) -> Made<(usize, Scalar)> {
        let found = self.strides.iter().find(|(of, ..)| *of == ax);
        found.map(|(_, nth, stride)| (*nth, stride.clone())).ok_or_else(|| Gap::of_kernel("an axis that no index has"))
    }

    /// True where an index goes through all of its entry of the shape, so that indices of the entry before it follow one another: runs
    /// begin at an offset of their own.
    fn is_whole(&self, access: &Access, level: &Level) -> bool {
        let index = &access.index[level.nth];
        let alone = matches!(&index.terms[..], [term] if term.ax == level.ax && term.factor == Scalar::Int(1));
        alone && index.offset == Scalar::Int(0)
    }
}

/// True for an axis that an index goes through from its end.
fn is_backwards(access: &Access, level: &Level) -> bool {
    let mut terms = access.index[level.nth].terms.iter().filter(|term| term.ax == level.ax);
    terms.any(|term| term.factor.as_int().is_some_and(|f| f < 0))
}

fn plus(a: Scalar, b: Scalar) -> Scalar {
    match a {
        Scalar::Int(0) => b,
        a => a + b,
    }
}

/// A part of which no run of elements follows one another.
fn scattered(span: SpanId) -> Gap {
    let help = "elements that follow one another in a tensor are those of its last axis: `..` or a tile of it at the last index, and in other \
                tensors of the same loop at the last index too";
    Gap::not_yet("a part of a tensor whose elements do not follow one another in GM", help, span)
}
