//! The TBufs of a variant: memory for what passes through no queue, shared by what does not live together.
//!
//! A value sees its TBuf under its own name, so that emitted text reads like the kernel; a TBuf that serves one value only has that
//! name, too, others are called by their purpose. A value that is computed in place of another stays under the name of that one.

use super::decls::Decls;
use crate::ir::names::stem;
use crate::ir::queue::Stmt;
use crate::ir::{BufDecl, BufId, QueueStmt, Scalar, SpanId, StmtKind, TPosition, TensorId, Ty};
use crate::lower::type_queries::Binding;
use std::collections::BTreeSet;

/// A TBuf of the pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlotId(usize);

/// Most numbers that are kept: TPipe hands out 64 buffers in all, and a kernel may divide by more numbers than that.
const MOST_CONSTANTS: usize = 16;

/// What a TBuf is first made for.
#[derive(Clone, Copy)]
pub enum Purpose {
    Intermediate,
    Mask,
    Work,
    Columns,
    Constant,
    Offsets,
}

impl Purpose {
    /// Name of the buffer.
    const fn name(self) -> &'static str {
        match self {
            Purpose::Intermediate => "calc",
            Purpose::Mask => "mask",
            Purpose::Work => "work",
            Purpose::Columns => "blocks",
            Purpose::Constant => "constant",
            Purpose::Offsets => "offsets",
        }
    }

    /// As the capacity table says it.
    const fn text(self) -> &'static str {
        match self {
            Purpose::Intermediate => "intermediate values",
            Purpose::Mask => "bits of a compare",
            Purpose::Work => "work space of reductions",
            Purpose::Columns => "column values expanded to data blocks",
            Purpose::Constant => "a data block of one number",
            Purpose::Offsets => "offsets of elements that are gathered",
        }
    }
}

/// Memory that is asked for.
pub struct Wanted {
    pub bytes: Scalar,
    /// Elements that it is seen as.
    pub ty: Ty,
    pub purpose: Purpose,
    pub span: SpanId,
}

/// A TBuf and who may use it.
struct Slot {
    buf: BufId,
    purpose: Purpose,
    bytes: Scalar,
    free: bool,
    /// Views of the buffer by element type and name.
    views: Vec<(Ty, String, TensorId)>,
    /// The names of the values that it serves, each once; no name for what is no value.
    users: BTreeSet<Option<String>>,
}

/// The TBufs so far.
pub struct Pool<'h> {
    binding: &'h Binding<'h>,
    slots: Vec<Slot>,
    /// The `Get`s of all views, which stand before everything else.
    pub gets: Vec<Stmt>,
    /// Work space of reductions: no two work at once, so that they share it where it has the size.
    work: Option<SlotId>,
    /// Numbers that stay where they are from the first statement on, each with its place.
    constants: Vec<(Scalar, Ty, TensorId)>,
    /// Offsets of elements that lie so many bytes apart, each with its place.
    tables: Vec<(Vec<Scalar>, TensorId)>,
    /// The statements that put them there.
    pub fills: Vec<Stmt>,
}

impl<'h> Pool<'h> {
    pub(super) fn new(binding: &'h Binding<'h>) -> Self {
        Pool {
            binding,
            slots: Vec::new(),
            gets: Vec::new(),
            work: None,
            constants: Vec::new(),
            tables: Vec::new(),
            fills: Vec::new(),
        }
    }

    /// A TBuf of so many bytes, free or new, seen as elements of a type; under the name of the value that it is for, if it is.
    pub(super) fn take(
        &mut self,
        wanted: &Wanted,
        value: Option<&str>,
        decls: &mut Decls,
    ) -> (SlotId, TensorId) {
        let free = self
            .slots
            .iter()
            .position(|s| s.free && self.binding.same_size(&s.bytes, &wanted.bytes));
        let slot = free.map_or_else(|| self.add(wanted, decls), SlotId);
        self.slots[slot.0].free = false;
        (slot, self.view(slot, wanted, value, decls))
    }

    fn add(&mut self, wanted: &Wanted, decls: &mut Decls) -> SlotId {
        let (name, purpose) = (
            wanted.purpose.name().to_string(),
            wanted.purpose.text().to_string(),
        );
        let bytes = wanted.bytes.clone();
        let buf = decls.buf(BufDecl {
            name,
            position: TPosition::VecCalc,
            bytes,
            purpose,
            span: wanted.span,
        });
        self.slots.push(Slot {
            buf,
            purpose: wanted.purpose,
            bytes: wanted.bytes.clone(),
            free: true,
            views: Vec::new(),
            users: BTreeSet::new(),
        });
        SlotId(self.slots.len() - 1)
    }

    /// A TBuf as elements of the type that is wanted; each type and name has one view.
    fn view(
        &mut self,
        slot: SlotId,
        wanted: &Wanted,
        value: Option<&str>,
        decls: &mut Decls,
    ) -> TensorId {
        let slot = &mut self.slots[slot.0];
        slot.users.insert(value.map(|name| stem(name).to_string()));
        let name = value.map_or_else(
            || format!("{}_local", decls.bufs[slot.buf.index()].name),
            |name| stem(name).to_string(),
        );
        let same = |(ty, known, _): &&(Ty, String, TensorId)| {
            self.binding.same(*ty, wanted.ty) && *known == name
        };
        if let Some((.., tensor)) = slot.views.iter().find(same) {
            return *tensor;
        }
        let tensor = decls.tensor(&name, wanted.ty);
        self.gets.push(Stmt {
            kind: StmtKind::Do(QueueStmt::Get {
                tensor,
                buf: slot.buf,
            }),
            span: wanted.span,
        });
        slot.views.push((wanted.ty, name, tensor));
        tensor
    }

    /// Work space of a reduction: that of the one before where it has the size.
    pub fn work(&mut self, wanted: &Wanted, decls: &mut Decls) -> TensorId {
        match self.work.filter(|slot| {
            self.binding
                .same_size(&self.slots[slot.0].bytes, &wanted.bytes)
        }) {
            Some(slot) => self.view(slot, wanted, None, decls),
            None => {
                let (slot, tensor) = self.take(wanted, None, decls);
                self.work = Some(slot);
                tensor
            }
        }
    }

    /// A TBuf that holds one number for as long as the kernel runs; `fill` puts it there, before everything else. None where as many
    /// are kept as may be.
    pub(super) fn constant(
        &mut self,
        number: &Scalar,
        wanted: &Wanted,
        decls: &mut Decls,
        fill: impl FnOnce(TensorId) -> Stmt,
    ) -> Option<TensorId> {
        let same = |(known, ty, _): &&(Scalar, Ty, TensorId)| {
            known == number && self.binding.same(*ty, wanted.ty)
        };
        if let Some((.., tensor)) = self.constants.iter().find(same) {
            return Some(*tensor);
        }
        if self.constants.len() >= MOST_CONSTANTS {
            return None;
        }
        // No TBuf that others had before: they have it again in the next turn of the loop.
        let slot = self.add(wanted, decls);
        self.slots[slot.0].free = false;
        let tensor = self.view(slot, wanted, None, decls);
        self.constants.push((number.clone(), wanted.ty, tensor));
        self.fills.push(fill(tensor));
        Some(tensor)
    }

    /// A TBuf with offsets, for as long as the kernel runs; `fill` puts them there, before everything else. Those of one key are one: how far
    /// apart they lie, and how many they are.
    pub fn table(
        &mut self,
        key: Vec<Scalar>,
        wanted: &Wanted,
        decls: &mut Decls,
        fill: impl FnOnce(TensorId) -> Vec<Stmt>,
    ) -> TensorId {
        if let Some((_, tensor)) = self.tables.iter().find(|(own, _)| *own == key) {
            return *tensor;
        }
        let slot = self.add(wanted, decls);
        self.slots[slot.0].free = false;
        let tensor = self.view(slot, wanted, None, decls);
        self.tables.push((key, tensor));
        self.fills.extend(fill(tensor));
        tensor
    }

    /// Calls the TBufs that serve one value by its name, the others by what they are for.
    pub fn name_bufs(&self, decls: &mut Decls) {
        let names = self
            .slots
            .iter()
            .map(|slot| match (slot.users.len(), slot.users.first()) {
                (1, Some(Some(name))) => name,
                _ => slot.purpose.name(),
            });
        decls.rename_bufs(self.slots.iter().map(|slot| slot.buf).zip(names));
    }

    /// Gives a TBuf back.
    pub fn release(&mut self, slot: SlotId) {
        self.slots[slot.0].free = true;
    }
}
