//! Copies between GM and UB: which elements an access touches, and the instruction.

use super::ops::instr;
use super::site::Site;
use super::values::Values;
use super::{Gap, Made};
use crate::ir::{Access, AxId, Extent, Scalar, SpanId, Stmt, TensorId, View};
use crate::ops::CopyOp;

/// Both sides of a copy.
struct Sides {
    gm: View,
    ub: View,
    extent: Extent,
}

/// Where an access begins in its tensor, and how far apart the indices of each axis are there.
struct Place {
    at: Scalar,
    strides: Vec<(AxId, Scalar)>,
}

impl Place {
    fn of(access: &Access, values: &Values<'_>, span: SpanId) -> Made<Place> {
        let (mut at, mut strides) = (Vec::new(), Vec::new());
        let mut stride = Scalar::Int(1);
        for (nth, (dim, index)) in access.dims.iter().zip(&access.index).enumerate().rev() {
            let times = |s: &Scalar| if stride == Scalar::Int(1) { s.clone() } else { s.clone() * stride.clone() };
            at.extend((index.offset != Scalar::Int(0)).then(|| times(&index.offset)));
            strides.extend(index.terms.iter().map(|t| (t.ax, times(&t.factor))));
            // What is before the outermost index has no stride of its own.
            if nth > 0 {
                stride = times(&values.size_of_axis(dim).ok_or_else(|| scattered(span))?);
            }
        }
        let at = at.into_iter().rev().reduce(|a, b| a + b).unwrap_or(Scalar::Int(0));
        Ok(Place { at, strides })
    }

    fn stride(&self, ax: AxId) -> Made<&Scalar> {
        let found = self.strides.iter().find(|(of, _)| *of == ax);
        found.map(|(_, stride)| stride).ok_or_else(|| Gap::of_kernel("an axis that no index has"))
    }
}

impl Sides {
    fn of(access: &Access, tensor: TensorId, values: &Values<'_>, span: SpanId) -> Made<Sides> {
        let place = Place::of(access, values, span)?;
        let (gm, ub) = (View::gm(access.param, place.at.clone()), View::local(tensor, 0));
        let follows = |ax: AxId| match place.stride(ax)? {
            Scalar::Int(1) => Ok(()),
            _ => Err(scattered(span)),
        };
        match values.nest.sides(&access.axes())? {
            (Some(rows), Some(cols)) => {
                follows(cols)?;
                let extent = Extent::Rows { rows: values.live(rows)?, cols: values.live(cols)? };
                Ok(Sides { gm: gm.rows(place.stride(rows)?.clone()), ub: ub.rows(values.room(cols)?), extent })
            }
            (Some(run), None) | (None, Some(run)) => {
                follows(run)?;
                Ok(Sides { gm, ub, extent: Extent::Rows { rows: Scalar::Int(1), cols: values.live(run)? } })
            }
            (None, None) => Err(Gap::of_kernel("an access without an axis")),
        }
    }
}

/// A part of which no run of elements follows one another.
fn scattered(span: SpanId) -> Gap {
    let help = "the outermost loop goes over the first axis of such a tensor, and the last one is whole or cut by a loop inside";
    Gap::not_yet("a part of a tensor whose elements do not follow one another in GM", help, span)
}

/// The copy of a part of a tensor into UB.
pub(super) fn copy_in(site: &Site<'_, '_>, access: &Access, tensor: TensorId, span: SpanId) -> Made<Stmt> {
    let Sides { gm, ub, extent } = Sides::of(access, tensor, &site.values, span)?;
    let op = if site.host.chip.has_data_copy_pad { CopyOp::InPad } else { CopyOp::In };
    Ok(instr(op, extent, [ub.into(), gm.into()], span))
}

/// The copy of a tensor to its place in GM.
pub(super) fn copy_out(site: &Site<'_, '_>, access: &Access, tensor: TensorId, span: SpanId) -> Made<Stmt> {
    let Sides { gm, ub, extent } = Sides::of(access, tensor, &site.values, span)?;
    let op = if site.host.chip.has_data_copy_pad { CopyOp::OutPad } else { CopyOp::Out };
    Ok(instr(op, extent, [gm.into(), ub.into()], span))
}
