//! The TBufs of a variant: memory for what passes through no queue, shared by what does not live together.

use super::binding::Binding;
use super::decls::Decls;
use crate::ir::{BufDecl, BufId, Scalar, SpanId, Stmt, StmtKind, TPosition, TensorId, Ty};

/// A TBuf of the pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SlotId(usize);

/// What a TBuf is first made for.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    Intermediate,
    Mask,
    Work,
    Columns,
}

impl Purpose {
    /// Name of the buffer.
    const fn name(self) -> &'static str {
        match self {
            Purpose::Intermediate => "calc",
            Purpose::Mask => "mask",
            Purpose::Work => "work",
            Purpose::Columns => "blocks",
        }
    }

    /// As the capacity table says it.
    const fn text(self) -> &'static str {
        match self {
            Purpose::Intermediate => "intermediate values",
            Purpose::Mask => "bits of a compare",
            Purpose::Work => "work space of reductions",
            Purpose::Columns => "column values expanded to data blocks",
        }
    }
}

/// Memory that is asked for.
pub(super) struct Wanted {
    pub(super) bytes: Scalar,
    /// Elements that it is seen as.
    pub(super) ty: Ty,
    pub(super) purpose: Purpose,
    pub(super) span: SpanId,
}

/// A TBuf and who may use it.
struct Slot {
    buf: BufId,
    bytes: Scalar,
    free: bool,
    /// Views of the buffer by element type.
    views: Vec<(Ty, TensorId)>,
}

/// The TBufs so far.
pub(super) struct Pool<'h> {
    binding: &'h Binding<'h>,
    slots: Vec<Slot>,
    /// The `Get`s of all views, which stand before everything else.
    pub(super) gets: Vec<Stmt>,
    /// Work space of reductions: no two work at once, so that they share it where it has the size.
    work: Option<SlotId>,
}

impl<'h> Pool<'h> {
    pub(super) fn new(binding: &'h Binding<'h>) -> Self {
        Pool { binding, slots: Vec::new(), gets: Vec::new(), work: None }
    }

    /// A TBuf of so many bytes, free or new, seen as elements of a type.
    pub(super) fn take(&mut self, wanted: &Wanted, decls: &mut Decls) -> (SlotId, TensorId) {
        let free = self.slots.iter().position(|s| s.free && self.binding.same_size(&s.bytes, &wanted.bytes));
        let slot = free.map_or_else(|| self.add(wanted, decls), SlotId);
        self.slots[slot.0].free = false;
        (slot, self.view(slot, wanted, decls))
    }

    fn add(&mut self, wanted: &Wanted, decls: &mut Decls) -> SlotId {
        let (name, purpose) = (wanted.purpose.name().to_string(), wanted.purpose.text().to_string());
        let bytes = wanted.bytes.clone();
        let buf = decls.buf(BufDecl { name, position: TPosition::VecCalc, bytes, purpose, span: wanted.span });
        self.slots.push(Slot { buf, bytes: wanted.bytes.clone(), free: true, views: Vec::new() });
        SlotId(self.slots.len() - 1)
    }

    /// A TBuf as elements of the type that is wanted; each type has one view.
    fn view(&mut self, slot: SlotId, wanted: &Wanted, decls: &mut Decls) -> TensorId {
        let slot = &mut self.slots[slot.0];
        if let Some((_, tensor)) = slot.views.iter().find(|(ty, _)| self.binding.same(*ty, wanted.ty)) {
            return *tensor;
        }
        let tensor = decls.tensor(&format!("{}_local", decls.bufs[slot.buf.index()].name), wanted.ty);
        self.gets.push(Stmt { kind: StmtKind::Get { tensor, buf: slot.buf }, span: wanted.span });
        slot.views.push((wanted.ty, tensor));
        tensor
    }

    /// Work space of a reduction: that of the one before where it has the size.
    pub(super) fn work(&mut self, wanted: &Wanted, decls: &mut Decls) -> TensorId {
        match self.work.filter(|slot| self.binding.same_size(&self.slots[slot.0].bytes, &wanted.bytes)) {
            Some(slot) => self.view(slot, wanted, decls),
            None => {
                let (slot, tensor) = self.take(wanted, decls);
                self.work = Some(slot);
                tensor
            }
        }
    }

    /// Gives a TBuf back.
    pub(super) fn release(&mut self, slot: SlotId) {
        self.slots[slot.0].free = true;
    }
}
