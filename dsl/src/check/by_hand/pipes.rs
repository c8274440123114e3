//! The knowledge of the pipes of one block, with numbers: which accesses have ended when another
//! one begins.
//!
//! The scalar unit issues instructions one after another, and each pipe ends them in its own time.
//! A pipe knows what it was told (by a flag, a queue, a barrier) and what the scalar unit has
//! waited for. Vector calls and scalar accesses end in order; copies of one pipe do not
//! (asc-devkit, pages of PipeBarrier and SetFlag/WaitFlag).

use crate::ir::{QueueId, SpanId, TensorId, TensorRef};
use crate::ops::contract::{Access, Pipe};

/// The number of ended instructions of each pipe.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Known([u32; Pipe::COUNT]);

impl Known {
    fn learn(&mut self, other: Known) {
        self.0
            .iter_mut()
            .zip(other.0)
            .for_each(|(own, other)| *own = other.max(*own));
    }
}

/// A buffer of a queue; `None` if buffers are not distinguished.
pub(super) type Slot = Option<(QueueId, usize)>;

/// The memory that an access touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Memory {
    /// UB in bytes, under the name of a tensor.
    Ub(TensorId),
    /// A tensor in GM, in elements.
    Gm(TensorRef),
}

impl Memory {
    fn is_shared(self, other: Memory) -> bool {
        match (self, other) {
            (Memory::Ub(_), Memory::Ub(_)) => true,
            (Memory::Gm(a), Memory::Gm(b)) => a == b,
            (Memory::Ub(_), Memory::Gm(_)) | (Memory::Gm(_), Memory::Ub(_)) => false,
        }
    }
}

/// Equidistant rows of a memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rows {
    pub at: i64,
    pub len: i64,
    pub rows: i64,
    /// Distance from row to row.
    pub pitch: i64,
}

/// Most rows of an access that are compared.
const MOST_ROWS: i64 = 64;

impl Rows {
    pub(super) fn each(self) -> impl Iterator<Item = (i64, i64)> {
        let rows = if self.len > 0 {
            self.rows.clamp(0, MOST_ROWS)
        } else {
            0
        };
        (0..rows).filter_map(move |row| {
            let from = self.at.checked_add(row.checked_mul(self.pitch)?)?;
            Some((from, from.checked_add(self.len)?))
        })
    }

    /// Returns its start and its end.
    fn ends(self) -> (i64, i64) {
        let last = self
            .rows
            .saturating_sub(1)
            .clamp(0, MOST_ROWS - 1)
            .saturating_mul(self.pitch);
        (
            self.at.saturating_add(last.min(0)),
            self.at.saturating_add(last.max(0)).saturating_add(self.len),
        )
    }

    /// True if both certainly overlap.
    fn meets(self, other: Rows) -> bool {
        let ((from, to), (start, end)) = (self.ends(), other.ends());
        from < end
            && start < to
            && self
                .each()
                .any(|(from, to)| other.each().any(|(other, end)| from < end && other < to))
    }
}

/// An access of a pipe.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub memory: Memory,
    pub rows: Rows,
    pub does: Access,
    pub pipe: Pipe,
    pub span: SpanId,
    /// Its buffer of a queue.
    slot: Slot,
    /// Its number among the instructions of its pipe.
    nth: u32,
}

/// The pipes of a block, with the accesses that may be under way.
#[derive(Default)]
pub(super) struct Pipes {
    given: Known,
    known: [Known; Pipe::COUNT],
    live: Vec<Touch>,
}

impl Pipes {
    /// Gives a pipe its next instruction.
    pub fn give(&mut self, pipe: Pipe) {
        let waited = self.known[Pipe::S as usize];
        self.known[pipe as usize].learn(waited);
        self.given.0[pipe as usize] += 1;
    }

    /// Returns what a pipe can tell once all that it was given has ended.
    pub fn told(&self, from: Pipe) -> Known {
        let mut told = self.known[from as usize];
        told.0[from as usize] = self.given.0[from as usize];
        told
    }

    /// Makes a pipe wait until it knows this.
    pub fn learn(&mut self, pipe: Pipe, told: Known) {
        self.known[pipe as usize].learn(told);
    }

    /// Makes `to` wait for all that `from` was given.
    pub fn order(&mut self, from: Pipe, to: Pipe) {
        self.learn(to, self.told(from));
    }

    /// Makes all pipes wait for all.
    pub fn order_all(&mut self) {
        let given = self.given;
        self.known.iter_mut().for_each(|known| known.learn(given));
        self.live.clear();
    }

    /// Returns how many instructions of `of` have certainly ended when `pipe` begins its next one.
    fn ended(&self, pipe: Pipe, of: Pipe) -> u32 {
        if pipe == of && pipe.ends_in_order() {
            self.given.0[of as usize]
        } else {
            self.known[pipe as usize].0[of as usize]
        }
    }

    /// Adds an access of the last instruction of a pipe. Returns an earlier access that it overlaps
    /// and that may be under way. Accesses in buffers of queues conflict only within one buffer:
    /// leaving the buffer is another mistake.
    pub fn touch(
        &mut self,
        pipe: Pipe,
        does: Access,
        memory: Memory,
        slot: Slot,
        rows: Rows,
        span: SpanId,
    ) -> Option<Touch> {
        let new = Touch {
            memory,
            rows,
            does,
            pipe,
            span,
            slot,
            nth: self.given.0[pipe as usize],
        };
        let meets = |old: &&Touch| {
            let is_own = old.pipe == pipe && old.nth == new.nth;
            let orders =
                !is_own && !needs_no_order(old.does, does) && old.nth > self.ended(pipe, old.pipe);
            orders && old.slot == slot && old.memory.is_shared(memory) && old.rows.meets(rows)
        };
        // The last one is the nearest in the text.
        let found = self.live.iter().rev().find(meets).copied();
        // The scalar unit goes on only after a read is complete.
        if pipe != Pipe::S || does != Access::Read {
            self.live.push(new);
        }
        if self.live.len() > 64 {
            let ended = Pipe::ALL.map(|of| {
                Pipe::ALL
                    .map(|pipe| self.ended(pipe, of))
                    .into_iter()
                    .min()
                    .unwrap_or(0)
            });
            self.live.retain(|l| l.nth > ended[l.pipe as usize]);
        }
        found
    }
}

/// True if two accesses to the same elements need no order. A write-back of a line counts as a
/// write only for the changed elements: readers of the rest of the line see no change.
fn needs_no_order(old: Access, new: Access) -> bool {
    match (old, new) {
        (Access::Line, _) | (_, Access::Line) => old.commutes(new),
        _ => old.needs_no_order(new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(at: i64) -> Rows {
        Rows {
            at,
            len: 8,
            rows: 1,
            pitch: 0,
        }
    }

    /// True if a vector call conflicts with a copy to the same bytes, after `between`.
    fn meets(between: impl Fn(&mut Pipes)) -> bool {
        let mut pipes = Pipes::default();
        let memory = Memory::Ub(TensorId(0));
        pipes.give(Pipe::Mte2);
        assert!(pipes
            .touch(Pipe::Mte2, Access::Write, memory, None, rows(0), SpanId(1))
            .is_none());
        between(&mut pipes);
        pipes.give(Pipe::V);
        assert!(pipes
            .touch(Pipe::V, Access::Read, memory, None, rows(8), SpanId(2))
            .is_none());
        pipes
            .touch(Pipe::V, Access::Read, memory, None, rows(7), SpanId(2))
            .is_some_and(|old| old.span == SpanId(1))
    }

    #[test]
    fn a_flag_a_way_and_a_barrier_order_two_pipes() {
        use Pipe::*;
        assert!(meets(|_| {}));
        assert!(!meets(|p| p.order(Mte2, V)));
        assert!(!meets(|p| p.order(Mte2, S)));
        assert!(!meets(Pipes::order_all));
        assert!(!meets(|p| {
            p.order(Mte2, Mte3);
            p.order(Mte3, V);
        }));
        assert!(meets(|p| p.order(V, Mte2)));
        assert!(meets(|p| p.order(Mte2, Mte2)));
        assert!(meets(|p| {
            p.order(Mte3, V);
            p.order(Mte2, Mte3);
        }));
    }

    #[test]
    fn rows_meet_where_they_share_elements() {
        let wide = Rows {
            at: 0,
            len: 4,
            rows: 3,
            pitch: 16,
        };
        assert!(wide.meets(Rows {
            at: 34,
            len: 1,
            rows: 1,
            pitch: 0
        }));
        assert!(!wide.meets(Rows {
            at: 4,
            len: 12,
            rows: 3,
            pitch: 16
        }));
        assert!(!wide.meets(Rows {
            at: 0,
            len: 0,
            rows: 1,
            pitch: 0
        }));
    }
}
