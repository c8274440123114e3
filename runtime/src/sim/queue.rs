//! Queues of one block, and the state of each buffer.
//!
//! A buffer goes free → occupied (alloc_tensor) → enqueued → dequeued → free. Each step begins a
//! new epoch of the buffer. A tensor remembers the epoch in which it was made, so a use after enque
//! or free_tensor is detected in every later state. A single thread runs a block, so an alloc
//! without a free buffer would wait for ever.

use super::pipes::Clock;
use super::Trip;
use jumar_dsl::diag::Code;
use std::collections::VecDeque;

/// The state of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Free,
    Occupied,
    Enqueued,
    Dequeued,
}

#[derive(Clone, Debug)]
struct Slot {
    at: usize,
    state: State,
    epoch: u64,
    /// The clock that the buffer's last pipe published for the next one, see [`super::pipes`].
    told: Clock,
}

/// A `TQue` at run time.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    slots: Vec<Slot>,
    bytes: usize,
    /// The buffer where the next alloc begins its search.
    cursor: usize,
    /// Enqueued buffers, oldest first.
    waiting: VecDeque<usize>,
    depth: usize,
}

/// A buffer of a queue, as a tensor refers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub queue: usize,
    slot: usize,
    epoch: u64,
}

/// The content of a `LocalTensor` variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle {
    /// Byte address of its first element.
    pub at: usize,
    /// End of its buffer.
    pub end: usize,
    /// The queue buffer of the tensor; `None` in a `TBuf`.
    pub owner: Option<Owner>,
}

fn misuse<T>(message: String) -> Result<T, Trip> {
    Err(Trip::new(Code::J0803, message))
}

impl Queue {
    /// Makes a queue whose `num` buffers of `bytes` bytes begin at `at`.
    pub fn new(at: usize, num: usize, bytes: usize, depth: usize) -> Self {
        let slot = |i| Slot {
            at: at + i * bytes,
            state: State::Free,
            epoch: 0,
            told: Clock::default(),
        };
        // A depth of 0 declares an in-place queue, which still hands over one tensor at a time.
        Queue {
            slots: (0..num).map(slot).collect(),
            bytes,
            cursor: 0,
            waiting: VecDeque::new(),
            depth: depth.max(1),
        }
    }

    /// Returns the clock that is published when a buffer changes hands.
    pub fn told(&mut self, owner: Owner) -> &mut Clock {
        &mut self.slots[owner.slot].told
    }

    fn step(&mut self, queue: usize, slot: usize, state: State) -> Handle {
        let s = &mut self.slots[slot];
        s.state = state;
        s.epoch += 1;
        Handle {
            at: s.at,
            end: s.at + self.bytes,
            owner: Some(Owner {
                queue,
                slot,
                epoch: s.epoch,
            }),
        }
    }

    /// Takes the next free buffer, round robin.
    pub fn alloc(&mut self, queue: usize, name: &str) -> Result<Handle, Trip> {
        let num = self.slots.len();
        let Some(slot) = (0..num)
            .map(|i| (self.cursor + i) % num)
            .find(|s| self.slots[*s].state == State::Free)
        else {
            return misuse(format!(
                "alloc_tensor on `{name}` would wait for ever: none of its {num} buffers is free"
            ));
        };
        self.cursor = (slot + 1) % num;
        Ok(self.step(queue, slot, State::Occupied))
    }

    /// Hands a tensor to the consumer.
    pub fn enque(
        &mut self,
        owner: Option<Owner>,
        queue: usize,
        name: &str,
        tensor: &str,
    ) -> Result<(), Trip> {
        let slot = self.held(owner, queue, name, tensor, "enque")?;
        if self.waiting.len() >= self.depth {
            return misuse(format!(
                "enque of `{tensor}` on `{name}`, which holds {} already and has depth {}",
                self.waiting.len(),
                self.depth
            ));
        }
        self.step(queue, slot, State::Enqueued);
        self.waiting.push_back(slot);
        Ok(())
    }

    /// Takes the oldest tensor handed over.
    pub fn deque(&mut self, queue: usize, name: &str) -> Result<Handle, Trip> {
        match self.waiting.pop_front() {
            Some(slot) => Ok(self.step(queue, slot, State::Dequeued)),
            None => misuse(format!("deque on `{name}`, which holds nothing")),
        }
    }

    /// Gives a buffer back.
    pub fn free(
        &mut self,
        owner: Option<Owner>,
        queue: usize,
        name: &str,
        tensor: &str,
    ) -> Result<(), Trip> {
        let slot = self.held(owner, queue, name, tensor, "free_tensor")?;
        self.step(queue, slot, State::Free);
        Ok(())
    }

    /// Returns the buffer of a tensor that the kernel may hand on or free.
    fn held(
        &self,
        owner: Option<Owner>,
        queue: usize,
        name: &str,
        tensor: &str,
        what: &str,
    ) -> Result<usize, Trip> {
        match owner {
            Some(o) if o.queue == queue => {
                self.check(o, tensor, what)?;
                Ok(o.slot)
            }
            _ => misuse(format!(
                "{what} of `{tensor}` on `{name}`, which it is not from"
            )),
        }
    }

    /// Refuses a tensor whose buffer has changed its state since it was made.
    pub fn check(&self, owner: Owner, tensor: &str, what: &str) -> Result<(), Trip> {
        let slot = &self.slots[owner.slot];
        if slot.epoch == owner.epoch {
            return Ok(());
        }
        // An occupied or dequeued buffer with another epoch was free in between, or was enqueued.
        let why = match slot.state {
            State::Enqueued => "enque",
            State::Dequeued if slot.epoch == owner.epoch + 2 => "enque",
            State::Free | State::Occupied | State::Dequeued => "free_tensor",
        };
        misuse(format!("`{tensor}` is used by {what} after {why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_go_round_and_a_stale_tensor_is_seen() {
        let mut q = Queue::new(64, 2, 32, 1);
        let a = q.alloc(0, "in").unwrap();
        let b = q.alloc(0, "in").unwrap();
        assert_eq!((a.at, b.at, b.end), (64, 96, 128));
        assert!(q
            .alloc(0, "in")
            .unwrap_err()
            .message
            .contains("none of its 2 buffers is free"));
        q.enque(a.owner, 0, "in", "a").unwrap();
        assert!(q
            .enque(b.owner, 0, "in", "b")
            .unwrap_err()
            .message
            .contains("depth 1"));
        assert!(q
            .check(a.owner.unwrap(), "a", "add")
            .unwrap_err()
            .message
            .contains("after enque"));
        let a2 = q.deque(0, "in").unwrap();
        assert_eq!(a2.at, a.at);
        assert!(q
            .deque(0, "in")
            .unwrap_err()
            .message
            .contains("holds nothing"));
        q.free(a2.owner, 0, "in", "a").unwrap();
        assert!(q
            .free(a2.owner, 0, "in", "a")
            .unwrap_err()
            .message
            .contains("after free_tensor"));
        assert_eq!(q.alloc(0, "in").unwrap().at, a.at);
        assert!(q
            .free(None, 0, "in", "tmp")
            .unwrap_err()
            .message
            .contains("not from"));
    }
}
