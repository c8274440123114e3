//! Tables of evenly spaced numbers, such as offsets and indices of elements, made once before
//! everything else.

use super::context::{instr, Site};
use crate::dtype::DType;
use crate::ir::queue::Stmt;
use crate::ir::{Arg, Extent, Scalar, SpanId, Stage, TensorId, Ty, View};
use crate::lower::memory::buffers::{Purpose, SlotId, Wanted};
use crate::ops::{BinaryScalarOp, LayoutOp};

/// Byte offsets of evenly spaced elements.
pub(super) struct Offsets {
    pub(super) bytes: Scalar,
    pub(super) table: TensorId,
    /// Their memory, if they were made for a single use.
    slot: Option<SlotId>,
}

impl Offsets {
    pub(super) fn release(self, site: &mut Site<'_, '_>) {
        if let Some(slot) = self.slot {
            site.places.pool.release(slot);
        }
    }
}

/// Returns the offsets of `room` elements, `apart` bytes from one to the next; a distance of one
/// gives indices. They are made here if the distance is known only in an iteration.
pub(super) fn offsets(
    site: &mut Site<'_, '_>,
    apart: &Scalar,
    room: &Scalar,
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Offsets {
    evenly(site, Ty::Is(DType::I32), apart, room, span, out)
}

/// Returns `room` evenly spaced numbers from 0 on, in a type.
pub(super) fn evenly(
    site: &mut Site<'_, '_>,
    ty: Ty,
    apart: &Scalar,
    room: &Scalar,
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Offsets {
    let beside = site.host.binding.beside(ty);
    let bytes = site.values.bytes_of(site.host, room.clone(), ty);
    let whole = |s: Scalar| Arg::from(Scalar::cast(beside, s));
    let fill = |table: TensorId| {
        let at = || Arg::from(View::local(table, 0));
        let n = || Extent::Count { n: room.clone() };
        let index = instr(
            LayoutOp::CreateVecIndex,
            n(),
            [at(), whole(Scalar::Int(0))],
            span,
        );
        let times = || {
            instr(
                BinaryScalarOp::Muls,
                n(),
                [at(), at(), whole(apart.clone())],
                span,
            )
        };
        std::iter::once(index)
            .chain((*apart != Scalar::Int(1)).then(times))
            .collect()
    };
    let wanted = Wanted {
        bytes: bytes.clone(),
        ty,
        purpose: Purpose::Offsets,
        span,
    };
    let is_of_turn = site.host.stage(apart).max(site.host.stage(room)) > Stage::Host;
    let places = &mut site.places;
    if is_of_turn {
        let (slot, table) = places.take(&wanted);
        out.extend(fill(table));
        return Offsets {
            bytes,
            table,
            slot: Some(slot),
        };
    }
    let table = places.pool.table(
        vec![Scalar::SizeOf(ty), apart.clone(), room.clone()],
        &wanted,
        &mut places.decls,
        fill,
    );
    Offsets {
        bytes,
        table,
        slot: None,
    }
}
