//! Happens-before order of a block's accesses: a clock for each pipe, moved by queues, events and
//! barriers.
//!
//! The simulator runs one statement after another; a chip orders only what synchronisation orders.
//! Beside the run, each pipe has a clock of the instructions that it knows to be done before its
//! next one. Two accesses to the same memory, one of them a write, are a fault where the later pipe
//! does not know the earlier access to be done. Order comes from:
//!
//! - **Issue**: the scalar unit issues the instructions one after another; each knows what the
//!   scalar unit has waited for.
//! - **Pipes in order**: vector calls end in order (the compiler puts barriers between them), and
//!   so do scalar accesses. The scalar unit waits for what it reads.
//! - **Copies**: copies of one pipe begin in order and overlap in time. Only a barrier, or a path
//!   over another pipe, makes one wait for the end of another.
//! - **Events**: an event passes to a pipe everything that another one has been given so far and
//!   everything that it knows. Queues contain two of them: enque and deque inform the consumer,
//!   free_tensor and the next alloc_tensor of that buffer the producer.
//! - **`SyncAll`**: it begins with a barrier of all pipes.
//!
//! GM is watched by element, UB by data block.

use super::memory::DATA_BLOCK;
use super::touch::Strip;
use jumar_dsl::ir::SpanId;
use jumar_dsl::ops::contract::{Access, Pipe};

/// For each pipe, the number of its instructions that are done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock([u32; Pipe::COUNT]);

impl Clock {
    fn join(&mut self, other: Clock) {
        self.0
            .iter_mut()
            .zip(other.0)
            .for_each(|(a, b)| *a = b.max(*a));
    }
}

/// An instruction that touches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    /// The number in its pipe, from 1 on; 0 for none.
    seq: u32,
    span: SpanId,
}

impl Stamp {
    const NONE: Stamp = Stamp {
        seq: 0,
        span: SpanId(u32::MAX),
    };
}

/// An earlier access that may still be under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    pub pipe: Pipe,
    pub span: SpanId,
    /// True for a write.
    pub stores: bool,
    /// The lowest element of GM, or byte of UB, that both touch.
    pub at: usize,
}

/// An access to GM that a later one may have to wait for.
struct Live {
    pipe: Pipe,
    does: Access,
    stamp: Stamp,
    strip: Strip,
}

/// The accesses to a tensor in GM.
#[derive(Default)]
struct Log {
    live: Vec<Live>,
    /// The number of entries at which finished accesses are dropped next.
    limit: usize,
    /// True if the scalar unit reads or writes it as well.
    by_scalars: bool,
}

impl Log {
    fn new(by_scalars: bool) -> Self {
        Log {
            by_scalars,
            ..Log::default()
        }
    }
}

/// The pipes that touch UB, and whether they write. Reads of the scalar unit are done at once.
const UB_USERS: [(Pipe, bool); 5] = [
    (Pipe::Mte2, true),
    (Pipe::V, false),
    (Pipe::V, true),
    (Pipe::Mte3, false),
    (Pipe::S, true),
];

/// The pipes of one block.
pub(super) struct Pipes {
    /// The number of instructions that each pipe was given.
    given: Clock,
    /// The clock of each pipe: what it knows to be done before its next instruction begins.
    known: [Clock; Pipe::COUNT],
    gm: Vec<Log>,
    /// The last access to each data block of UB, by [`UB_USERS`].
    ub: [Vec<Stamp>; UB_USERS.len()],
}

impl Pipes {
    /// Makes pipes without instructions for `ub_bytes` bytes of UB. `scalars` says for each tensor
    /// in GM whether the scalar unit touches it and the kernel writes it.
    pub fn new(scalars: &[bool], ub_bytes: usize) -> Self {
        let blocks = || vec![Stamp::NONE; ub_bytes.div_ceil(DATA_BLOCK)];
        let gm = scalars
            .iter()
            .map(|by_scalars| Log::new(*by_scalars))
            .collect();
        Pipes {
            given: Clock::default(),
            known: Default::default(),
            gm,
            ub: std::array::from_fn(|_| blocks()),
        }
    }

    /// Restores the state of [`Pipes::new`].
    pub fn clear(&mut self) {
        (self.given, self.known) = (Clock::default(), Default::default());
        self.gm
            .iter_mut()
            .for_each(|log| *log = Log::new(log.by_scalars));
        self.ub
            .iter_mut()
            .for_each(|stamps| stamps.fill(Stamp::NONE));
    }

    /// Gives a pipe its next instruction, to which the following accesses belong.
    pub fn give(&mut self, pipe: Pipe) {
        let waited = self.known[Pipe::S as usize];
        self.known[pipe as usize].join(waited);
        self.given.0[pipe as usize] += 1;
    }

    /// Returns what a pipe can publish when everything it has been given is done: SetFlag.
    pub fn told(&self, from: Pipe) -> Clock {
        let mut told = self.known[from as usize];
        told.join(self.known[Pipe::S as usize]);
        told.0[from as usize] = self.given.0[from as usize];
        told
    }

    /// Lets a pipe wait for a published clock: WaitFlag.
    pub fn wait(&mut self, to: Pipe, told: Clock) {
        self.known[to as usize].join(told);
    }

    /// Lets every pipe wait for a published clock: CrossCoreWaitFlag.
    pub fn all_wait(&mut self, told: Clock) {
        self.known.iter_mut().for_each(|known| known.join(told));
    }

    /// Iterates over the accesses to GM that a published clock does not cover. Accesses that both
    /// copy pipes know to be done may have been dropped.
    pub fn untold(&self, told: Clock) -> impl Iterator<Item = (usize, Access, Strip, SpanId)> + '_ {
        let late = move |l: &&Live| l.stamp.seq > told.0[l.pipe as usize];
        self.gm.iter().enumerate().flat_map(move |(gm, log)| {
            log.live
                .iter()
                .filter(late)
                .map(move |l| (gm, l.does, l.strip, l.stamp.span))
        })
    }

    /// Orders two pipes by an event: later instructions of `to` begin after the earlier ones of
    /// `from` have ended.
    pub fn order(&mut self, from: Pipe, to: Pipe) {
        self.wait(to, self.told(from));
    }

    /// Orders all pipes by a barrier: later instructions begin after all earlier ones have ended.
    pub fn order_all(&mut self) {
        let given = self.given;
        self.known.iter_mut().for_each(|known| known.join(given));
    }

    /// Returns the number of the last instruction of `of` that `pipe` knows to be done.
    fn done(&self, pipe: Pipe, of: Pipe) -> u32 {
        if pipe == of && pipe.ends_in_order() {
            return self.given.0[of as usize];
        }
        self.known[pipe as usize].0[of as usize]
    }

    /// Records an access of a pipe's last instruction to a tensor in GM, and returns a conflict.
    pub fn touch_gm(
        &mut self,
        pipe: Pipe,
        gm: usize,
        does: Access,
        strip: Strip,
        span: SpanId,
    ) -> Option<Pending> {
        let meets = |l: &Live| {
            let at = if l.stamp.seq > self.done(pipe, l.pipe) {
                l.strip.meets(strip)?
            } else {
                return None;
            };
            Some(Pending {
                pipe: l.pipe,
                span: l.stamp.span,
                stores: l.does.stores(),
                at,
            })
        };
        let pending = self.gm[gm]
            .live
            .iter()
            .filter(|l| !l.does.commutes(does))
            .find_map(meets);
        let stamp = Stamp {
            seq: self.given.0[pipe as usize],
            span,
        };
        // The scalar unit waits for what it reads.
        if pipe == Pipe::S && does == Access::Read {
            return pending;
        }
        self.gm[gm].live.push(Live {
            pipe,
            does,
            stamp,
            strip,
        });
        if self.gm[gm].live.len() >= self.gm[gm].limit {
            self.forget(gm);
        }
        pending
    }

    /// Drops the accesses to a tensor that all pipes with access to it know to be done.
    fn forget(&mut self, gm: usize) {
        let by_scalars = self.gm[gm].by_scalars;
        let users = || {
            Pipe::ALL
                .into_iter()
                .filter(|pipe| pipe.copies_gm() || by_scalars && *pipe == Pipe::S)
        };
        let mut done = Clock::default();
        for of in users() {
            done.0[of as usize] = users().map(|pipe| self.done(pipe, of)).min().unwrap_or(0);
        }
        let log = &mut self.gm[gm];
        log.live.retain(|l| l.stamp.seq > done.0[l.pipe as usize]);
        log.limit = 2 * log.live.len() + 16;
    }

    /// True if a pipe that reads these elements now may find values from before a running copy.
    pub fn is_written(&self, pipe: Pipe, gm: usize, strip: Strip) -> bool {
        let under_way = |l: &&Live| l.does.stores() && l.stamp.seq > self.done(pipe, l.pipe);
        self.gm[gm]
            .live
            .iter()
            .filter(under_way)
            .any(|l| l.strip.meets(strip).is_some())
    }

    /// Records an access of a pipe's last instruction to bytes of UB, and returns a conflict.
    pub fn touch_ub(
        &mut self,
        pipe: Pipe,
        stores: bool,
        strip: Strip,
        span: SpanId,
    ) -> Option<Pending> {
        let stamp = Stamp {
            seq: self.given.0[pipe as usize],
            span,
        };
        let blocks = || {
            strip
                .runs()
                .map(|run| run.start / DATA_BLOCK..run.end.div_ceil(DATA_BLOCK))
        };
        let mut pending = None;
        for (user, (of, wrote)) in UB_USERS.into_iter().enumerate() {
            let done = self.done(pipe, of);
            // The usual case is fast: a pipe knows everything another one was given, or that one
            // did nothing.
            if (stores || wrote) && pending.is_none() && done < self.given.0[of as usize] {
                let own = if of == pipe { stamp.seq } else { u32::MAX };
                let found = blocks()
                    .flatten()
                    .find(|b| self.ub[user][*b].seq > done && self.ub[user][*b].seq != own);
                pending = found.map(|b| Pending {
                    pipe: of,
                    span: self.ub[user][b].span,
                    stores: wrote,
                    at: b * DATA_BLOCK,
                });
            }
            if (of, wrote) == (pipe, stores) {
                blocks().for_each(|run| self.ub[user][run].fill(stamp));
            }
        }
        pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jumar_dsl::ops::Op;
    use jumar_dsl::soc::Space;

    fn strip(at: usize) -> Strip {
        Strip::new(at, 8, 1, 8)
    }

    /// True if an access to the first elements of a tensor conflicts with one before it, after
    /// `between`.
    fn finds(first: (Pipe, bool), second: (Pipe, bool), between: impl Fn(&mut Pipes)) -> bool {
        let mut pipes = Pipes::new(&[false], 1024);
        pipes.give(first.0);
        let does = |stores| if stores { Access::Write } else { Access::Read };
        assert_eq!(
            pipes.touch_gm(first.0, 0, does(first.1), strip(0), SpanId(1)),
            None
        );
        between(&mut pipes);
        pipes.give(second.0);
        assert_eq!(
            pipes.touch_gm(second.0, 0, Access::Write, strip(16), SpanId(2)),
            None
        );
        let pending = pipes.touch_gm(second.0, 0, does(second.1), strip(1), SpanId(3));
        assert!(pending
            .is_none_or(|p| (p.pipe, p.stores, p.span, p.at) == (first.0, first.1, SpanId(1), 1)));
        pending.is_some()
    }

    #[test]
    fn only_events_and_barriers_order_copies() {
        use Pipe::*;
        let (load, store) = ((Mte2, false), (Mte3, true));
        assert!(!finds(load, load, |_| {}));
        for (first, second) in [(store, store), (store, load), (load, store)] {
            assert!(finds(first, second, |_| {}));
            assert!(!finds(first, second, |p| p.order(first.0, second.0)));
            assert!(!finds(first, second, |p| {
                p.order(first.0, V);
                p.order(V, second.0);
            }));
            assert!(finds(first, second, |p| {
                p.order(V, second.0);
                p.order(first.0, V);
            }));
            // A wait of the scalar unit orders everything that it issues afterwards.
            assert!(!finds(first, second, |p| p.order(first.0, S)));
            assert_eq!(
                finds(first, second, |p| p.order(second.0, first.0)),
                first != second
            );
        }
        assert!(!finds(store, store, |p| p.order(Mte3, Mte3)));
        assert!(finds(load, store, |p| p.order(Mte3, Mte3)));
    }

    #[test]
    fn copies_that_add_need_no_order_among_themselves() {
        let finds = |first: Access, second: Access| {
            let mut pipes = Pipes::new(&[false], 1024);
            pipes.give(Pipe::Mte3);
            assert_eq!(
                pipes.touch_gm(Pipe::Mte3, 0, first, strip(0), SpanId(1)),
                None
            );
            pipes.give(Pipe::Mte3);
            pipes
                .touch_gm(Pipe::Mte3, 0, second, strip(1), SpanId(2))
                .is_some()
        };
        for (first, second, races) in [
            (Access::Add, Access::Add, false),
            (Access::Any, Access::Any, false),
            (Access::Max, Access::Max, false),
            (Access::Min, Access::Min, false),
            (Access::Max, Access::Min, true),
            (Access::Add, Access::Max, true),
            (Access::Min, Access::Write, true),
            (Access::Read, Access::Max, true),
            (Access::Disjoint, Access::Disjoint, true),
            (Access::Add, Access::Write, true),
            (Access::Write, Access::Add, true),
            (Access::Add, Access::Any, true),
            (Access::Add, Access::Read, true),
            (Access::Any, Access::Write, true),
        ] {
            assert_eq!(finds(first, second), races, "{first:?}, {second:?}");
        }
    }

    #[test]
    fn a_barrier_of_all_pipes_orders_every_two() {
        use Pipe::*;
        for (first, second) in [
            ((Mte3, true), (Mte2, false)),
            ((Mte2, false), (Mte3, true)),
            ((Mte3, true), (Mte3, true)),
        ] {
            assert!(!finds(first, second, Pipes::order_all));
        }
    }

    #[test]
    fn accesses_that_all_know_to_be_done_are_forgotten() {
        let mut pipes = Pipes::new(&[false], 1024);
        for i in 0..1000 {
            pipes.give(Pipe::Mte3);
            assert_eq!(
                pipes.touch_gm(Pipe::Mte3, 0, Access::Write, strip(i % 2 * 8), SpanId(0)),
                None
            );
            pipes.order(Pipe::Mte3, Pipe::Mte3);
            pipes.order(Pipe::Mte3, Pipe::Mte2);
        }
        assert!(pipes.gm[0].live.len() <= 16);
    }

    #[test]
    fn every_pipe_that_ops_touch_ub_with_is_watched() {
        for def in Op::all() {
            let of_ub = def.contract.views().filter(|rule| rule.space == Space::Ub);
            for stores in of_ub.map(|rule| rule.access != Access::Read) {
                for pipe in [Some(def.contract.pipe), def.contract.begins]
                    .into_iter()
                    .flatten()
                {
                    let is_at_once = pipe == Pipe::S && !stores;
                    assert!(
                        is_at_once || UB_USERS.contains(&(pipe, stores)),
                        "{} on {pipe:?}",
                        def.name
                    );
                }
            }
        }
    }

    #[test]
    fn ub_is_watched_by_data_block() {
        use Pipe::*;
        let mut pipes = Pipes::new(&[], 1024);
        let rows = Strip::new(0, 32, 3, 64);
        pipes.give(Mte2);
        assert_eq!(pipes.touch_ub(Mte2, true, rows, SpanId(1)), None);
        pipes.give(V);
        assert_eq!(
            pipes.touch_ub(V, false, Strip::new(32, 32, 3, 64), SpanId(2)),
            None
        );
        let pending = Some(Pending {
            pipe: Mte2,
            span: SpanId(1),
            stores: true,
            at: 64,
        });
        assert_eq!(
            pipes.touch_ub(V, false, Strip::new(40, 32, 1, 32), SpanId(2)),
            pending
        );
        pipes.order(Mte2, V);
        assert_eq!(pipes.touch_ub(V, true, rows, SpanId(2)), None);
        pipes.give(V);
        assert_eq!(pipes.touch_ub(V, true, rows, SpanId(3)), None);
        pipes.give(Mte3);
        assert!(pipes.touch_ub(Mte3, false, strip(0), SpanId(4)).is_some());
        pipes.order(V, Mte3);
        assert_eq!(pipes.touch_ub(Mte3, false, strip(0), SpanId(4)), None);
        pipes.give(V);
        assert!(pipes
            .touch_ub(V, true, strip(8), SpanId(5))
            .is_some_and(|p| (p.pipe, p.stores) == (Mte3, false)));
    }
}
