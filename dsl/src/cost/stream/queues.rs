//! The flags of queues: what AllocTensor, EnQue, DeQue and FreeTensor set and wait for.
//!
//! EnQue takes the lowest free id of its event, which DeQue gives back. FreeTensor takes one of the
//! event that leads back, and the AllocTensor that hands out this buffer again waits for it; those
//! that nobody waited for are waited for at the end (asc-devkit, `kernel_tquebind_impl.h` and
//! `kernel_tpipe_impl.h`).

use crate::cost::event::What;
use crate::ir::{QueueDecl, QueueOp};
use crate::ops::contract::Pipe;
use std::collections::VecDeque;

/// Ids of one event.
const IDS: u8 = 8;

/// The ids of all events that are taken, a bit each.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ids([[u8; Pipe::COUNT]; Pipe::COUNT]);

impl Ids {
    /// Takes the lowest free id; `None` where all are taken.
    pub(super) fn take(&mut self, from: Pipe, to: Pipe) -> Option<u8> {
        let taken = &mut self.0[from as usize][to as usize];
        let id = (0..IDS).find(|id| *taken & 1 << id == 0)?;
        *taken |= 1 << id;
        Some(id)
    }

    fn give_back(&mut self, from: Pipe, to: Pipe, id: u8) {
        self.0[from as usize][to as usize] &= !(1 << id);
    }

    /// Returns the lowest free id without taking it: FetchEventID.
    pub(super) fn fetch(&mut self, from: Pipe, to: Pipe) -> Option<u8> {
        let id = self.take(from, to)?;
        self.give_back(from, to, id);
        Some(id)
    }
}

/// A buffer of a queue.
#[derive(Clone, Debug, PartialEq)]
struct Buffer {
    is_free: bool,
    /// The flag that EnQue has set.
    filled: Option<u8>,
    /// The flag that FreeTensor has set.
    freed: Option<u8>,
}

/// A queue while its kernel runs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Queue {
    /// Address of the first byte, and bytes of a buffer.
    at: i64,
    bytes: i64,
    fills: Pipe,
    empties: Pipe,
    buffers: Vec<Buffer>,
    /// The buffer where the next AllocTensor begins its search.
    cursor: usize,
    waiting: VecDeque<usize>,
}

impl Queue {
    /// Makes a queue whose `num` buffers of `bytes` bytes begin at `at`; `None` where no vector
    /// core has its position.
    pub(super) fn new(decl: &QueueDecl, at: i64, num: i64, bytes: i64) -> Option<Queue> {
        let (fills, empties) = decl.position.pipes()?;
        let buffer = Buffer {
            is_free: true,
            filled: None,
            freed: None,
        };
        Some(Queue {
            at,
            bytes,
            fills,
            empties,
            buffers: vec![buffer; usize::try_from(num).ok()?],
            cursor: 0,
            waiting: VecDeque::new(),
        })
    }

    /// Returns the address of a buffer.
    pub(super) fn address(&self, buffer: usize) -> i64 {
        let before = i64::try_from(buffer).unwrap_or(i64::MAX);
        self.at.saturating_add(before.saturating_mul(self.bytes))
    }

    /// Does an operation on a buffer, which AllocTensor and DeQue choose, and returns it with the
    /// flag that is set or waited for. `None` is a use that no checked kernel has.
    pub(super) fn run(
        &mut self,
        op: QueueOp,
        buffer: Option<usize>,
        ids: &mut Ids,
    ) -> Option<(usize, Option<What>)> {
        let (fills, empties) = (self.fills, self.empties);
        match op {
            QueueOp::Alloc => {
                let num = self.buffers.len();
                let found = (0..num).map(|i| (self.cursor + i) % num);
                let at = found.into_iter().find(|at| self.buffers[*at].is_free)?;
                self.cursor = (at + 1) % num;
                self.buffers[at].is_free = false;
                Some((at, self.buffers[at].wait_free(fills, empties, ids)))
            }
            QueueOp::Enque => {
                let at = buffer?;
                let id = ids.take(fills, empties)?;
                self.buffers.get_mut(at)?.filled = Some(id);
                self.waiting.push_back(at);
                let (from, to) = (fills, empties);
                Some((at, Some(What::Set { from, to, id })))
            }
            QueueOp::Deque => {
                let at = self.waiting.pop_front()?;
                let id = self.buffers[at].filled.take()?;
                ids.give_back(fills, empties, id);
                let (from, to) = (fills, empties);
                Some((at, Some(What::Wait { from, to, id })))
            }
            QueueOp::Free => {
                let at = buffer?;
                let id = ids.take(empties, fills)?;
                let freed = self.buffers.get_mut(at)?;
                (freed.is_free, freed.freed) = (true, Some(id));
                let (from, to) = (empties, fills);
                Some((at, Some(What::Set { from, to, id })))
            }
        }
    }

    /// Waits for what FreeTensor has set and no AllocTensor has waited for.
    pub(super) fn end(&mut self, ids: &mut Ids) -> Vec<What> {
        let (fills, empties) = (self.fills, self.empties);
        let waits = self.buffers.iter_mut();
        waits
            .filter_map(|buffer| buffer.wait_free(fills, empties, ids))
            .collect()
    }
}

impl Buffer {
    /// The wait for the flag that FreeTensor has set, if one is.
    fn wait_free(&mut self, fills: Pipe, empties: Pipe, ids: &mut Ids) -> Option<What> {
        let id = self.freed.take()?;
        ids.give_back(empties, fills, id);
        let (from, to) = (empties, fills);
        Some(What::Wait { from, to, id })
    }
}
