//! The places of the largest elements of rows: a call a row, which sorts lists and merges them in work space of its own. The numbers that it gives as places
//! are made once.

use super::ops::{instr, Calls};
use super::tbuf::{Purpose, Wanted};
use super::values::product;
use super::{Gap, Made};
use crate::dtype::DType;
use crate::ir::{Arg, AxId, Extent, Scalar, ScalarTy, TensorId, Ty, ValueId, View};
use crate::ops::contract::{list_elements, LIST};
use crate::ops::LayoutOp;

/// The type of places.
const PLACES: Ty = Ty::Is(DType::I32);

impl Calls<'_, '_, '_> {
    /// As many places along an axis as another one has indices.
    pub(super) fn top(&mut self, v: ValueId, along: AxId, to: AxId) -> Made<()> {
        let (source, own) = (self.site.values.tile(v)?, self.tile.clone());
        let is_last = |tile: &super::values::Tile, ax: AxId| tile.lanes.as_ref().is_some_and(|lanes| lanes.ax == ax);
        if !is_last(&source, along) || !is_last(&own, to) {
            let help = "order along the axis that is the last one of its tensor, and let the axis of the places be the last one where they are stored";
            return Err(Gap::not_yet("places along an axis whose elements do not follow one another", help, self.span));
        }
        let (from, ty, span) = (self.site.home(v)?, self.site.values.ty(v), self.span);
        let [n, most] = [along, to].map(|ax| self.site.values.count(ax));
        let (n, most) = (n?, most?);
        let all = self.site.host.known("sorted", &n.clone().align_up(LIST));
        let places = self.counted(&all);
        let elements = product([all, Scalar::Int(list_elements(self.site.values.size(ty)))]);
        let bytes = self.site.values.bytes_of(self.site.host, elements, ty);
        let (slot, work) = self.site.places.take(&Wanted { bytes, ty, purpose: Purpose::Work, span });
        let dst = self.tensor;
        self.for_each(&source.rows.clone(), |_, turn| {
            let views = [
                View::local(dst, turn.place(|ax| own.apart(ax))),
                View::local(from, turn.place(|ax| source.apart(ax))),
                View::local(places, 0),
                View::local(work, 0),
            ];
            let args = views.map(Arg::from).into_iter().chain([most.into()]);
            vec![instr(LayoutOp::Top, Extent::Count { n }, args, span)]
        })?;
        self.site.places.pool.release(slot);
        Ok(())
    }

    /// The numbers from 0 on, so many.
    fn counted(&mut self, all: &Scalar) -> TensorId {
        let span = self.span;
        let bytes = self.site.values.bytes_of(self.site.host, all.clone(), PLACES);
        let fill = |table: TensorId| {
            let args = [View::local(table, 0).into(), Arg::from(Scalar::cast(ScalarTy::I32, Scalar::Int(0)))];
            vec![instr(LayoutOp::CreateVecIndex, Extent::Count { n: all.clone() }, args, span)]
        };
        let wanted = Wanted { bytes, ty: PLACES, purpose: Purpose::Offsets, span };
        let places = &mut self.site.places;
        places.pool.table(vec![all.clone()], &wanted, &mut places.decls, fill)
    }
}
