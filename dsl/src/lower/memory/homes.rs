//! The homes of values: a dequeued VECIN tensor, a VECOUT tensor that is computed, or a TBuf that
//! is shared by liveness.

use super::buffers::{Pool, SlotId, Wanted};
use super::columns::Columns;
use super::decls::Decls;
use super::queues::{Buffers, Queues};
use crate::ir::queue::Stmt;
use crate::ir::{QueueId, Scalar, TensorId, ValueId};
use crate::lower::gap::{Gap, Made};
use crate::lower::type_queries::Binding;
use std::collections::BTreeMap;

/// The memory where a value lives.
#[derive(Clone, Copy, Debug)]
pub struct Home {
    pub tensor: TensorId,
    pub owner: Owner,
}

/// The owner that gets the memory back when the value dies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Owner {
    /// The queue that a VECIN tensor came through.
    In(QueueId),
    /// The queue of the block that consecutive loads share.
    Group(QueueId),
    /// The pool of TBufs.
    Slot(SlotId),
    /// Nobody: another value has the memory, or it is a VECOUT tensor, which leaves UB.
    Other,
}

/// The memory of a variant, and the values in it at one point.
pub struct Places<'h> {
    pub decls: Decls,
    pub pool: Pool<'h>,
    pub queues: Queues<'h>,
    pub columns: Columns,
    homes: BTreeMap<ValueId, Home>,
}

impl<'h> Places<'h> {
    pub fn new(binding: &'h Binding<'h>, buffers: Buffers, decls: Decls) -> Self {
        Places {
            decls,
            pool: Pool::new(binding),
            queues: Queues::new(binding, buffers),
            columns: Columns::default(),
            homes: BTreeMap::new(),
        }
    }

    pub fn find(&self, v: ValueId) -> Option<TensorId> {
        self.homes.get(&v).map(|h| h.tensor)
    }

    pub fn settle(&mut self, v: ValueId, home: Home) {
        self.homes.insert(v, home);
    }

    /// Takes a TBuf for a value of the source, under its name.
    pub fn take_for(&mut self, value: &str, wanted: &Wanted) -> (SlotId, TensorId) {
        self.pool.take(wanted, Some(value), &mut self.decls)
    }

    /// Takes a TBuf for a value without a name.
    pub fn take(&mut self, wanted: &Wanted) -> (SlotId, TensorId) {
        self.pool.take(wanted, None, &mut self.decls)
    }

    /// Returns memory that keeps a number, if some is left for that.
    pub fn constant(
        &mut self,
        number: &Scalar,
        wanted: &Wanted,
        fill: impl FnOnce(TensorId) -> Stmt,
    ) -> Option<TensorId> {
        self.pool.constant(number, wanted, &mut self.decls, fill)
    }

    /// Takes the memory of a value that dies for the one computed from it; `None` if it may not be
    /// written.
    pub fn take_over(&mut self, from: ValueId) -> Option<Home> {
        let home = self.homes.get_mut(&from)?;
        match home.owner {
            Owner::In(_) | Owner::Slot(_) => Some(std::mem::replace(
                home,
                Home {
                    owner: Owner::Other,
                    ..*home
                },
            )),
            Owner::Group(_) | Owner::Other => None,
        }
    }

    /// Releases the memory of a value. Returns the queue and tensor to free if it was the last
    /// value there.
    pub fn release(&mut self, v: ValueId) -> Made<Option<(QueueId, TensorId)>> {
        let home = self
            .homes
            .remove(&v)
            .ok_or_else(|| Gap::of_kernel("a value that dies without a place"))?;
        self.columns.forget(v, &mut self.pool);
        match home.owner {
            Owner::In(queue) | Owner::Group(queue) => {
                Ok(self.queues.release(queue)?.map(|tensor| (queue, tensor)))
            }
            Owner::Slot(slot) => {
                self.pool.release(slot);
                Ok(None)
            }
            Owner::Other => Ok(None),
        }
    }
}
