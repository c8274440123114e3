//! The TQues of a variant: which load and store passes through which queue.
//!
//! Sibling lists of statements share queues; a list and those around it never do.

use super::decls::Decls;
use crate::ir::{BinOp, QueueDecl, QueueId, Scalar, SpanId, TPosition, TensorId};
use crate::lower::gap::{Gap, Made};
use crate::lower::type_queries::Binding;
use crate::soc::MAX_BLOCKS_PER_POSITION;
use std::collections::BTreeMap;

/// Buffer numbers of queues.
#[derive(Clone, Copy, PartialEq)]
pub struct Buffers {
    /// True if consecutive loads share one block.
    pub group_loads: bool,
    /// Buffers of each VECIN queue.
    pub of_loads: i64,
    /// Buffers of the queue of loads whose elements are taken out at once.
    pub of_passing: i64,
    /// Buffers of each VECOUT queue.
    pub of_stores: i64,
    pub stores: Stores,
}

/// The way in which the stores of one list use queues.
#[derive(Clone, Copy, PartialEq)]
pub enum Stores {
    /// Each store has its own queue, and all values that may be are computed in its tensor.
    Alone,
    /// Stores share some queues, in whose tensors stored values alone are computed.
    InTurns,
    /// Stores share one queue, into which values are copied where they are stored.
    Copied,
}

/// The direction of a queue.
#[derive(Clone, Copy)]
pub enum Way {
    In,
    Out,
}

impl Way {
    const fn position(self) -> TPosition {
        match self {
            Way::In => TPosition::VecIn,
            Way::Out => TPosition::VecOut,
        }
    }

    const fn prefix(self) -> &'static str {
        match self {
            Way::In => "in",
            Way::Out => "out",
        }
    }
}

/// A load or store that needs a queue.
pub struct Passage<'n> {
    pub way: Way,
    /// The name of the tensor in GM.
    pub name: &'n str,
    pub bytes: Scalar,
    /// The number of requests of its kind before it in the same list of statements.
    pub ordinal: usize,
    pub span: SpanId,
}

/// A dequeued tensor with live values.
struct Held {
    tensor: TensorId,
    values: usize,
}

/// The queues of a variant at one point of it.
pub struct Queues<'h> {
    binding: &'h Binding<'h>,
    pub buffers: Buffers,
    /// The lists of statements around this point, each with the queues of its stores, whose blocks
    /// may be in use.
    lists: Vec<Vec<QueueId>>,
    held: BTreeMap<QueueId, Held>,
    /// Queues of shared blocks that sibling loops share.
    shared: Vec<QueueId>,
    /// Queues of loads before the loop.
    before: Vec<QueueId>,
    /// Queues whose blocks are freed as soon as their elements were taken out.
    passing: Vec<QueueId>,
}

impl<'h> Queues<'h> {
    pub(super) fn new(binding: &'h Binding<'h>, buffers: Buffers) -> Self {
        Queues {
            binding,
            buffers,
            lists: Vec::new(),
            held: BTreeMap::new(),
            shared: Vec::new(),
            before: Vec::new(),
            passing: Vec::new(),
        }
    }

    /// Enters a list of statements.
    pub fn enter(&mut self) {
        self.lists.push(Vec::new());
    }

    /// Reserves queues for the stores of the innermost list.
    pub fn claim(&mut self, queues: impl IntoIterator<Item = QueueId>) {
        if let Some(list) = self.lists.last_mut() {
            list.extend(queues);
        }
    }

    /// Leaves the innermost list.
    pub fn leave(&mut self) {
        self.lists.pop();
    }

    /// True outside of the loop that is divided among the cores.
    fn is_before_the_loop(&self) -> bool {
        self.lists.len() == 1
    }

    /// True if siblings may share a queue. In the outermost loop every load needs its own queue, so
    /// that copies of the next iteration can run ahead.
    fn may_share(&self) -> bool {
        self.lists.len() > 2
    }

    fn is_in_use(&self, queue: QueueId) -> bool {
        self.held.contains_key(&queue) || self.lists.iter().flatten().any(|q| *q == queue)
    }

    fn buffer_num(&self, way: Way) -> Scalar {
        Scalar::Int(match way {
            // Before the loop nothing runs ahead.
            Way::In if self.is_before_the_loop() => 1,
            Way::In => self.buffers.of_loads,
            Way::Out => self.buffers.of_stores,
        })
    }

    /// Finds the queue of a row that was loaded before the loop, converted, and freed, for rows
    /// that are loaded inside the loop.
    fn take_over(&mut self, name: &str, bytes: &Scalar, decls: &mut Decls) -> Option<QueueId> {
        // Loops inside have their own queues.
        let is_in_turns = self.lists.len() == 2;
        let is_free = |queue: &QueueId| {
            !self.is_in_use(*queue) && is_multiple(bytes, &decls.queues[queue.index()].bytes)
        };
        let at = self
            .before
            .iter()
            .position(is_free)
            .filter(|_| is_in_turns)?;
        let queue = self.before.remove(at);
        self.make_room(queue, bytes, decls);
        let (name, buffer_num) = (decls.unique_memory(name), self.buffer_num(Way::In));
        let decl = &mut decls.queues[queue.index()];
        (decl.name, decl.buffer_num) = (name, buffer_num);
        Some(queue)
    }

    /// Returns a queue for a load or store, free or new.
    pub fn take(&mut self, passage: Passage<'_>, decls: &mut Decls) -> QueueId {
        let Passage {
            way,
            name,
            bytes,
            ordinal,
            span,
        } = passage;
        let (position, buffer_num) = (way.position(), self.buffer_num(way));
        let same = |q: &QueueDecl| {
            q.position == position
                && self.binding.same_size(&q.bytes, &bytes)
                && q.buffer_num == buffer_num
        };
        let alike = decls
            .own_queues()
            .filter(|(_, q)| same(q))
            .map(|(id, _)| id);
        // Other loads pass through a `passing` queue while this one would hold its block.
        let free = alike
            .filter(|q| !self.is_in_use(*q) && !self.passing.contains(q))
            .nth(ordinal);
        if let Some(queue) = free.filter(|_| self.may_share()) {
            return queue;
        }
        let name = format!("{}_{name}", way.prefix());
        let before = match way {
            Way::In => self.take_over(&name, &bytes, decls),
            Way::Out => None,
        };
        if let Some(queue) = before {
            return queue;
        }
        let queue = decls.queue(QueueDecl {
            name,
            position,
            depth: 1,
            buffer_num,
            bytes,
            span,
        });
        if let (Way::In, true) = (way, self.is_before_the_loop()) {
            self.before.push(queue);
        }
        queue
    }

    /// Returns the queue of an earlier store of the same list: the one that has waited longest.
    /// `before` has the queues in order, with true for tensors that have left by then. Its blocks
    /// grow to the largest need.
    pub fn take_turns(
        &self,
        before: impl Iterator<Item = (QueueId, bool)>,
        bytes: &Scalar,
        decls: &mut Decls,
    ) -> Option<QueueId> {
        let enough = match self.buffers.stores {
            Stores::Alone => return None,
            // Half of the blocks are left for loops inside.
            Stores::InTurns => MAX_BLOCKS_PER_POSITION / 2 / self.buffers.of_stores,
            Stores::Copied => 1,
        };
        let mut last: Vec<(QueueId, bool)> = Vec::new();
        for (queue, has_left) in before {
            last.retain(|(q, _)| *q != queue);
            last.push((queue, has_left));
        }
        if (last.len() as i64) < enough {
            return None;
        }
        let (queue, _) = last.into_iter().find(|(_, has_left)| *has_left)?;
        self.make_room(queue, bytes, decls);
        Some(queue)
    }

    /// Gives a queue blocks of at least so many bytes.
    fn make_room(&self, queue: QueueId, bytes: &Scalar, decls: &mut Decls) {
        let decl = &mut decls.queues[queue.index()];
        if is_multiple(bytes, &decl.bytes) {
            decl.bytes = bytes.clone();
        } else if !self.binding.same_size(&decl.bytes, bytes) {
            decl.bytes = decl.bytes.clone().max(bytes.clone());
        }
    }

    /// Returns the queue whose block consecutive loads share. Sibling loops share it, too, with
    /// blocks of the largest need.
    pub fn take_shared(&mut self, bytes: Scalar, span: SpanId, decls: &mut Decls) -> QueueId {
        let free = self
            .shared
            .iter()
            .copied()
            .find(|q| self.may_share() && !self.is_in_use(*q));
        if let Some(queue) = free {
            self.make_room(queue, &bytes, decls);
            return queue;
        }
        let (name, position, buffer_num) = (
            "in_group".to_string(),
            TPosition::VecIn,
            self.buffer_num(Way::In),
        );
        let queue = decls.queue(QueueDecl {
            name,
            position,
            depth: 1,
            buffer_num,
            bytes,
            span,
        });
        if self.may_share() {
            self.shared.push(queue);
        }
        queue
    }

    /// Returns the queue of loads whose elements are taken out at once. All of them share it, with
    /// blocks of the largest need.
    pub fn take_passing(&mut self, bytes: Scalar, span: SpanId, decls: &mut Decls) -> QueueId {
        let buffer_num = Scalar::Int(self.buffers.of_passing);
        if let Some(queue) = self
            .passing
            .iter()
            .copied()
            .find(|q| decls.queues[q.index()].buffer_num == buffer_num)
        {
            self.make_room(queue, &bytes, decls);
            return queue;
        }
        let (name, position) = ("in_span".to_string(), TPosition::VecIn);
        let queue = decls.queue(QueueDecl {
            name,
            position,
            depth: 1,
            buffer_num,
            bytes,
            span,
        });
        self.passing.push(queue);
        queue
    }

    /// Records the number of live values in a tensor from a queue.
    pub fn hold(&mut self, queue: QueueId, tensor: TensorId, values: usize) {
        self.held.insert(queue, Held { tensor, values });
    }

    /// Releases one of its values. Returns the tensor if it was the last one.
    pub(super) fn release(&mut self, queue: QueueId) -> Made<Option<TensorId>> {
        let held = self
            .held
            .get_mut(&queue)
            .ok_or_else(|| Gap::of_kernel("a value of a queue that holds none"))?;
        held.values -= 1;
        let tensor = held.tensor;
        if held.values > 0 {
            return Ok(None);
        }
        self.held.remove(&queue);
        Ok(Some(tensor))
    }
}

/// True if a product has all factors of another one, such as rows of a tile and one row.
fn is_multiple(size: &Scalar, of: &Scalar) -> bool {
    fn factors<'s>(s: &'s Scalar, all: &mut Vec<&'s Scalar>) {
        match s {
            Scalar::Bin(BinOp::Mul, a, b) => [a, b].into_iter().for_each(|part| factors(part, all)),
            _ => all.push(s),
        }
    }
    let (mut own, mut wanted) = (Vec::new(), Vec::new());
    factors(size, &mut own);
    factors(of, &mut wanted);
    wanted.into_iter().all(|factor| {
        own.iter()
            .position(|own| *own == factor)
            .map(|at| own.remove(at))
            .is_some()
    })
}
