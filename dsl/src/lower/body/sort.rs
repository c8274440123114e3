//! Indices of the largest elements of rows.
//!
//! One call a row sorts lists and merges them in its own work space. The indices that it permutes
//! are made once.

use super::context::instr;
use super::ops::Calls;
use super::shapes::Tile;
use super::tables::offsets;
use crate::ir::scalar::product;
use crate::ir::{Arg, AxId, Extent, Scalar, ValueId, View};
use crate::lower::gap::{Gap, Made};
use crate::lower::memory::buffers::{Purpose, Wanted};
use crate::ops::contract::{list_elements, LIST};
use crate::ops::LayoutOp;

impl Calls<'_, '_, '_> {
    /// Finds as many indices along an axis as another axis has.
    pub(super) fn top(&mut self, v: ValueId, along: AxId, to: AxId) -> Made<()> {
        let (source, own) = (self.site.values.tile(v)?, self.tile.clone());
        let is_last =
            |tile: &Tile, ax: AxId| tile.lanes.as_ref().is_some_and(|lanes| lanes.ax == ax);
        if !is_last(&source, along) || !is_last(&own, to) {
            let help = "order along the axis that is the last one of its tensor, and let the axis of the places be the last one where they are stored; lines along another axis become rows of a workspace by a loop before, `rows.at(i, t, j).store(x.at(i, j, t).load())`";
            return Err(Gap::not_yet(
                "places along an axis whose elements do not follow one another",
                help,
                self.span,
            ));
        }
        let (from, ty, span) = (self.site.home(v)?, self.site.values.ty(v), self.span);
        let [n, most] = [along, to].map(|ax| self.site.values.count(ax));
        let (n, most) = (n?, most?);
        let all = self.site.host.known("sorted", &n.clone().align_up(LIST));
        let places = offsets(self.site, &Scalar::Int(1), &all, span, self.out);
        let table = places.table;
        let elements = product([all, Scalar::Int(list_elements(self.site.values.size(ty)))]);
        let bytes = self.site.values.bytes_of(self.site.host, elements, ty);
        let (slot, work) = self.site.places.take(&Wanted {
            bytes,
            ty,
            purpose: Purpose::Work,
            span,
        });
        let dst = self.tensor;
        self.for_each(&source.rows.clone(), |_, turn| {
            let views = [
                View::local(dst, turn.place(|ax| own.apart(ax))),
                View::local(from, turn.place(|ax| source.apart(ax))),
                View::local(table, 0),
                View::local(work, 0),
            ];
            let args = views.map(Arg::from).into_iter().chain([most.into()]);
            vec![instr(LayoutOp::Top, Extent::Count { n }, args, span)]
        })?;
        self.site.places.pool.release(slot);
        places.release(self.site);
        Ok(())
    }
}
