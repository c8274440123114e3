//! Accesses that may be under way at one point of a kernel, and the pipes that know they have
//! ended.

use crate::check::lowered::homes::Home;
use crate::check::prove::window::Window;
use crate::ir::queue::Stmt;
use crate::ir::{QueueId, TensorRef, VarId};
use crate::ops::contract::{Access, Pipe};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;

/// The memory that an access touches.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Spot {
    Gm(TensorRef, Box<Window>),
    Ub(Home),
}

/// An access that later ones may have to wait for.
#[derive(Clone, Debug)]
pub(super) struct Live<'a> {
    id: u32,
    pub stmt: &'a Stmt,
    pub pipe: Pipe,
    pub does: Access,
    pub spot: Spot,
    /// Pipes that begin nothing more before it has ended.
    known: BTreeSet<Pipe>,
}

impl<'a> Live<'a> {
    pub fn new(id: u32, stmt: &'a Stmt, pipe: Pipe, does: Access, spot: Spot) -> Self {
        Live {
            id,
            stmt,
            pipe,
            does,
            spot,
            known: BTreeSet::new(),
        }
    }

    pub fn writes(&self) -> bool {
        self.does != Access::Read
    }

    /// True if everything that pipe `to` begins from here on begins after this access has ended.
    fn is_known(&self, to: Pipe) -> bool {
        // The scalar unit issues the instructions of all pipes.
        self.known.contains(&to)
            || self.known.contains(&Pipe::S)
            || (self.pipe == to && to.ends_in_order())
    }

    /// True if `from` can tell of this access: it executes it, or knows that it has ended.
    fn is_told_by(&self, from: Pipe) -> bool {
        self.pipe == from || self.is_known(from)
    }

    fn is_same_place(&self, other: &Live<'_>) -> bool {
        match (&self.spot, &other.spot) {
            (Spot::Gm(a, _), Spot::Gm(b, _)) => a == b,
            (Spot::Ub(a), Spot::Ub(b)) => a == b,
            (Spot::Gm(..), Spot::Ub(_)) | (Spot::Ub(_), Spot::Gm(..)) => false,
        }
    }
}

/// Accesses, by their ids.
type Done = BTreeSet<u32>;

/// The accesses under way at one point of the kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Flight<'a> {
    live: Vec<Live<'a>>,
    /// The report of the producer at EnQue, for each waiting tensor of a queue, the oldest first.
    waiting: BTreeMap<QueueId, VecDeque<Done>>,
    /// The report of the consumer at the last FreeTensor of each queue.
    free: BTreeMap<QueueId, Done>,
}

impl<'a> Flight<'a> {
    pub fn has_any(&self) -> bool {
        !self.live.is_empty()
    }

    /// Returns how many tensors wait in each queue that has some.
    pub fn waiting(&self) -> impl Iterator<Item = (QueueId, usize)> + '_ {
        self.waiting
            .iter()
            .map(|(queue, waiting)| (*queue, waiting.len()))
            .filter(|(_, n)| *n > 0)
    }

    /// Calls `f` on every window that mentions a variable.
    pub fn mentioning(&mut self, var: VarId, mut f: impl FnMut(&mut Window)) {
        for l in &mut self.live {
            match &mut l.spot {
                Spot::Gm(_, window) if window.mentions(var) => f(window),
                Spot::Gm(..) | Spot::Ub(_) => {}
            }
        }
    }

    /// Returns the accesses to one place that may not have ended when `new` begins.
    pub fn pending<'f>(&'f self, new: &'f Live<'a>) -> impl Iterator<Item = &'f Live<'a>> {
        self.live.iter().filter(|l| {
            l.is_same_place(new) && !l.does.needs_no_order(new.does) && !l.is_known(new.pipe)
        })
    }

    pub fn push(&mut self, new: Live<'a>) {
        // A scalar read is complete before the next instruction.
        if new.pipe == Pipe::S && !new.writes() {
            return;
        }
        // In UB the last access of its kind ends after those before it, so it stands for them.
        if let Spot::Ub(_) = new.spot {
            self.live.retain(|l| {
                !(l.spot == new.spot && l.pipe == new.pipe && l.writes() == new.writes())
            });
        }
        self.live.push(new);
    }

    fn told(&self, from: Pipe) -> Done {
        self.live
            .iter()
            .filter(|l| l.is_told_by(from))
            .map(|l| l.id)
            .collect()
    }

    fn knows(&mut self, to: Pipe, done: &Done) {
        self.live
            .iter_mut()
            .filter(|l| done.contains(&l.id))
            .for_each(|l| {
                l.known.insert(to);
            });
    }

    pub fn wait(&mut self, pipe: Pipe, holds: Pipe) {
        let done = self.told(pipe);
        self.knows(holds, &done);
    }

    /// Ends everything that is under way, before anything else begins.
    pub fn all_end(&mut self) {
        self.live.clear();
    }

    pub fn enque(&mut self, queue: QueueId, producer: Pipe) {
        let done = self.told(producer);
        self.waiting.entry(queue).or_default().push_back(done);
    }

    pub fn deque(&mut self, queue: QueueId, consumer: Pipe) {
        // The queue protocol checks a `deque` from an empty queue.
        if let Some(done) = self.waiting.get_mut(&queue).and_then(VecDeque::pop_front) {
            self.knows(consumer, &done);
        }
    }

    pub fn give_back(&mut self, queue: QueueId, consumer: Pipe) {
        let done = self.told(consumer);
        self.free.insert(queue, done);
    }

    pub fn take_back(&mut self, queue: QueueId, producer: Pipe) {
        if let Some(done) = self.free.get(&queue).cloned() {
            self.knows(producer, &done);
        }
    }

    /// Keeps the later accesses of two iterations, which stand for any iteration. `first` are the
    /// ids of the earlier ones.
    pub fn one_turn_for_all(&mut self, first: Range<u32>) {
        let (old, mut live): (Vec<_>, Vec<_>) = std::mem::take(&mut self.live)
            .into_iter()
            .partition(|l| first.contains(&l.id));
        for old in old {
            let is_same = |l: &&mut Live<'a>| {
                l.id >= first.end
                    && std::ptr::eq(l.stmt, old.stmt)
                    && (l.pipe, l.does) == (old.pipe, old.does)
                    && l.is_same_place(&old)
            };
            match live.iter_mut().find(is_same) {
                Some(l) => l.known.retain(|p| old.known.contains(p)),
                None => live.push(old),
            }
        }
        self.live = live;
    }

    /// Joins two ways to one place. A pipe knows what it knows on both ways. An access of one way
    /// only has ended on the other.
    pub fn join(&mut self, other: Flight<'a>) {
        let numbers = |f: &Flight<'_>| f.live.iter().map(|l| l.id).collect::<Done>();
        let (ours, theirs) = (numbers(self), numbers(&other));
        let both = |a: &Done, b: &Done| -> Done {
            let done = |id: &u32| {
                (a.contains(id) || !ours.contains(id)) && (b.contains(id) || !theirs.contains(id))
            };
            a.union(b).copied().filter(done).collect()
        };
        for (queue, waiting) in other.waiting {
            let own = self.waiting.entry(queue).or_default();
            own.iter_mut()
                .zip(&waiting)
                .for_each(|(a, b)| *a = both(a, b));
            // The queue protocol checks arms that leave different numbers of tensors.
            own.truncate(waiting.len());
        }
        let free = std::mem::take(&mut self.free).into_iter();
        self.free = free
            .filter_map(|(queue, a)| Some((queue, both(&a, other.free.get(&queue)?))))
            .collect();
        for l in other.live {
            match self
                .live
                .iter_mut()
                .find(|o| o.id == l.id && o.spot == l.spot)
            {
                Some(own) => own.known.retain(|p| l.known.contains(p)),
                None => self.live.push(l),
            }
        }
    }
}
