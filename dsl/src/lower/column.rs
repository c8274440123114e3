//! Column values of which each element was expanded to a data block, for as long as the value does not change.

use super::tbuf::{Pool, SlotId};
use crate::ir::{TensorId, ValueId};

struct Expanded {
    value: ValueId,
    slot: SlotId,
    tensor: TensorId,
}

/// The expanded columns at one point of a variant, those of the innermost statements last.
#[derive(Default)]
pub(super) struct Columns {
    expanded: Vec<Expanded>,
    /// True once one was expanded; Brcb bounds the rows of a tile.
    pub(super) any: bool,
}

impl Columns {
    pub(super) fn find(&self, v: ValueId) -> Option<TensorId> {
        self.expanded.iter().find(|e| e.value == v).map(|e| e.tensor)
    }

    pub(super) fn add(&mut self, value: ValueId, (slot, tensor): (SlotId, TensorId)) {
        self.any = true;
        self.expanded.push(Expanded { value, slot, tensor });
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.expanded.len()
    }

    /// Drops those of a value that changes or dies.
    pub(super) fn forget(&mut self, value: ValueId, pool: &mut Pool<'_>) {
        self.expanded.retain(|e| {
            if e.value == value {
                pool.release(e.slot);
            }
            e.value != value
        });
    }

    /// Drops all but the first `count`.
    pub(super) fn forget_all_but(&mut self, count: usize, pool: &mut Pool<'_>) {
        self.expanded.drain(count.min(self.expanded.len())..).for_each(|e| pool.release(e.slot));
    }
}
