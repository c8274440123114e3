//! The TBufs of a variant: memory for values that pass through no queue, shared by those that do
//! not live together.
//!
//! A value sees its TBuf under its own name, so emitted text reads like the kernel. A TBuf of one
//! value has that name, too; others are named by purpose. A value that is computed in place of
//! another one keeps the name of that one.

use super::decls::Decls;
use crate::ir::names::stem;
use crate::ir::queue::Stmt;
use crate::ir::{BufDecl, BufId, QueueStmt, Scalar, SpanId, StmtKind, TPosition, TensorId, Ty};
use crate::lower::type_queries::Binding;
use std::collections::BTreeSet;

/// A TBuf of the pool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlotId(usize);

/// The most numbers that are kept in TBufs. TPipe hands out 64 buffers in all, and a kernel may
/// divide by more numbers than that.
const MOST_CONSTANTS: usize = 16;

/// The purpose for which a TBuf is made.
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
    /// Returns the name of the buffer.
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

    /// Returns the text of the capacity table.
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

/// A request for memory.
pub struct Wanted {
    pub bytes: Scalar,
    /// The element type of the view.
    pub ty: Ty,
    pub purpose: Purpose,
    pub span: SpanId,
}

/// A TBuf, with its state.
struct Slot {
    buf: BufId,
    purpose: Purpose,
    bytes: Scalar,
    free: bool,
    /// Views of the buffer by element type and name.
    views: Vec<(Ty, String, TensorId)>,
    /// Names of the values that it serves, each once; `None` for memory of no value.
    users: BTreeSet<Option<String>>,
}

/// The TBufs so far.
pub struct Pool<'h> {
    binding: &'h Binding<'h>,
    slots: Vec<Slot>,
    /// The `Get`s of all views, which stand before everything else.
    pub gets: Vec<Stmt>,
    /// Work space of reductions. No two of them run at once, so they share it if the size is equal.
    work: Option<SlotId>,
    /// Numbers that are kept from the first statement on, with their tensors.
    constants: Vec<(Scalar, Ty, TensorId)>,
    /// Tables of offsets by their keys, with their tensors.
    tables: Vec<(Vec<Scalar>, TensorId)>,
    /// The statements that fill numbers and tables.
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

    /// Takes a free or new TBuf, and views it as elements of a type, under the name of its value.
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

    /// Returns the view of a TBuf for a type and name.
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

    /// Returns work space for a reduction: that of an earlier one if it has the size.
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

    /// Returns a TBuf that holds one number while the kernel runs. `fill` puts it there before
    /// everything else. `None` if the most numbers are kept already.
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
        // A TBuf that others used before would be overwritten in the next iteration of the loop.
        let slot = self.add(wanted, decls);
        self.slots[slot.0].free = false;
        let tensor = self.view(slot, wanted, None, decls);
        self.constants.push((number.clone(), wanted.ty, tensor));
        self.fills.push(fill(tensor));
        Some(tensor)
    }

    /// Returns a TBuf with offsets, kept while the kernel runs. `fill` puts them there before
    /// everything else. Tables with equal keys (distance and number of offsets) are one.
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

    /// Names TBufs of one value after it, and all others by their purpose.
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

    /// Returns a TBuf to the pool.
    pub fn release(&mut self, slot: SlotId) {
        self.slots[slot.0].free = true;
    }
}
