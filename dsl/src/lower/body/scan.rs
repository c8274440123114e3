//! Running sums and products: one call a row, with its own work space and offsets that are made
//! once.

use super::context::instr;
use super::ops::Calls;
use super::tables::offsets;
use crate::ir::scalar::product;
use crate::ir::{Arg, AxId, Extent, Scalar, ValueId, View};
use crate::lower::gap::{Gap, Made};
use crate::lower::memory::buffers::{Purpose, Wanted};
use crate::ops::{AxisReduceOp, ScanOp};

impl Calls<'_, '_, '_> {
    /// Computes the running sum or product along an axis.
    pub(super) fn scan(&mut self, op: AxisReduceOp, v: ValueId, along: AxId) -> Made<()> {
        let op =
            ScanOp::of(op).ok_or_else(|| Gap::of_kernel("a scan by what is no sum or product"))?;
        let (source, own) = (self.site.values.tile(v)?, self.tile.clone());
        if ![&source, &own]
            .iter()
            .all(|tile| tile.lanes.as_ref().is_some_and(|lanes| lanes.ax == along))
        {
            let help = "go along the axis that is the last one of its tensor; along another one, carry a value over `for j in 0..m`: `s = s + x.at(j, t).load();`";
            return Err(Gap::not_yet(
                "running sums along an axis whose elements do not follow one another",
                help,
                self.span,
            ));
        }
        let (from, dst, ty, span) = (
            self.site.home(v)?,
            self.tensor,
            self.site.values.ty(v),
            self.span,
        );
        let (n, size) = (self.site.values.count(along)?, self.site.values.size(ty));
        let all = match self.site.values.is_whole(along) {
            true => self
                .site
                .host
                .known("scanned", &n.clone().align_up(self.site.lanes(ty))),
            false => self.site.values.room(along)?,
        };
        let offsets = offsets(self.site, &Scalar::Int(size), &all, span, self.out);
        let work = product([all + self.site.lanes(ty), Scalar::Int(2)]);
        let bytes = self.site.values.bytes_of(self.site.host, work, ty);
        let (slot, work) = self.site.places.take(&Wanted {
            bytes,
            ty,
            purpose: Purpose::Work,
            span,
        });
        let table = offsets.table;
        self.for_each(&source.rows.clone(), |_, turn| {
            let views = [
                View::local(dst, turn.place(|ax| own.apart(ax))),
                View::local(from, turn.place(|ax| source.apart(ax))),
                View::local(table, 0),
                View::local(work, 0),
            ];
            vec![instr(op, Extent::Count { n }, views.map(Arg::from), span)]
        })?;
        self.site.places.pool.release(slot);
        offsets.release(self.site);
        Ok(())
    }
}
