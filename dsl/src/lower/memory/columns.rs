//! Column values of which each element was expanded to a data block, for as long as the value does not change.
//!
//! What a list of statements expands is there for this list and those inside it only: a branch may not be taken, a loop may
//! make no turn.

use super::buffers::{Pool, SlotId};
use crate::ir::{TensorId, ValueId};

struct Expanded {
    value: ValueId,
    slot: SlotId,
    tensor: TensorId,
    /// Lists of statements around it.
    depth: usize,
}

/// The expanded columns at one point of a variant.
#[derive(Default)]
pub struct Columns {
    expanded: Vec<Expanded>,
    /// Lists of statements around this point.
    depth: usize,
    /// True once one was expanded; Brcb bounds the rows of a tile.
    pub any: bool,
}

impl Columns {
    /// A list of statements begins.
    pub fn enter(&mut self) {
        self.depth += 1;
    }

    /// The innermost list ends, and with it what it expanded.
    pub fn leave(&mut self, pool: &mut Pool<'_>) {
        let depth = self.depth;
        self.keep(|e| e.depth < depth, pool);
        self.depth -= 1;
    }

    pub fn find(&self, v: ValueId) -> Option<TensorId> {
        self.expanded
            .iter()
            .find(|e| e.value == v)
            .map(|e| e.tensor)
    }

    pub fn add(&mut self, value: ValueId, slot: SlotId, tensor: TensorId) {
        self.any = true;
        self.expanded.push(Expanded {
            value,
            slot,
            tensor,
            depth: self.depth,
        });
    }

    /// Drops those of a value that changes or dies.
    pub fn forget(&mut self, value: ValueId, pool: &mut Pool<'_>) {
        self.keep(|e| e.value != value, pool);
    }

    fn keep(&mut self, kept: impl Fn(&Expanded) -> bool, pool: &mut Pool<'_>) {
        self.expanded
            .iter()
            .filter(|e| !kept(e))
            .for_each(|e| pool.release(e.slot));
        self.expanded.retain(kept);
    }
}
