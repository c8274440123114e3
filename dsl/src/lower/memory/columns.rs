//! Column values that were expanded to data blocks, kept as long as the value does not change.
//!
//! An expansion is known in its list of statements and the lists inside it only: a branch may not
//! be taken, and a loop may have no iteration.

use super::buffers::{Pool, SlotId};
use crate::ir::{TensorId, ValueId};

struct Expanded {
    value: ValueId,
    slot: SlotId,
    tensor: TensorId,
    /// The number of lists of statements around it.
    depth: usize,
}

/// The expanded columns at one point of a variant.
#[derive(Default)]
pub struct Columns {
    expanded: Vec<Expanded>,
    /// The number of lists of statements around this point.
    depth: usize,
    /// True once a column was expanded; Brcb bounds the rows of a tile.
    pub any: bool,
}

impl Columns {
    /// Enters a list of statements.
    pub fn enter(&mut self) {
        self.depth += 1;
    }

    /// Leaves the innermost list, and drops its expansions.
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

    /// Drops the expansion of a value that changes or dies.
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
