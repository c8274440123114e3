//! Iterations of a loop that leave a core as the iteration before did, only later.

use super::{Bytes, Core, Lane, Written};
use crate::cost::replay::Reason;
use crate::ops::contract::Pipe;
use std::collections::{BTreeMap, VecDeque};

/// Cycles in the past that no later instruction can tell apart.
const LONG_AGO: f64 = 100_000.0;
/// Cycles by which equal iterations may differ: sums of many fractions are not exact.
const ROUNDING: f64 = 1e-3;

/// The state of a core between two events.
pub(super) struct Snapshot {
    scalar: f64,
    scalar_busy: f64,
    scalar_stands: BTreeMap<Reason, f64>,
    lanes: [Lane; Pipe::COUNT],
    /// Flags that are set, by number.
    flags: Vec<(usize, VecDeque<f64>)>,
    last_writes: Vec<Bytes>,
    recent: VecDeque<Written>,
    instructions: u64,
}

impl Snapshot {
    /// True where all that comes will be as it was from the other state on.
    pub(super) fn is_like(&self, before: &Snapshot) -> bool {
        let near = |own: f64, other: f64| {
            let own = (own - self.scalar).max(-LONG_AGO);
            let other = (other - before.scalar).max(-LONG_AGO);
            (own - other).abs() <= ROUNDING
        };
        let all_near = |own: &VecDeque<f64>, other: &VecDeque<f64>| {
            own.len() == other.len() && own.iter().zip(other).all(|(a, b)| near(*a, *b))
        };
        let alike = |own: &Lane, other: &Lane| {
            let mut waiting = own.waiting.iter().zip(&other.waiting);
            near(own.free, other.free)
                && near(own.done, other.done)
                && all_near(&own.begins, &other.begins)
                && own.waiting.len() == other.waiting.len()
                && waiting.all(|(a, b)| near(a.issued, b.issued) && a.item == b.item)
        };
        let mut flags = self.flags.iter().zip(&before.flags);
        self.lanes
            .iter()
            .zip(&before.lanes)
            .all(|(own, other)| alike(own, other))
            && self.flags.len() == before.flags.len()
            && flags.all(|(a, b)| a.0 == b.0 && all_near(&a.1, &b.1))
            && self.last_writes == before.last_writes
            && self.recent == before.recent
    }
}

/// Adds what a iteration has added so many times more.
fn further(sums: &mut BTreeMap<Reason, f64>, before: &BTreeMap<Reason, f64>, times: f64) {
    for (reason, sum) in sums {
        *sum += (*sum - before.get(reason).copied().unwrap_or(0.0)) * times;
    }
}

impl Core<'_> {
    pub(super) fn snapshot(&self) -> Snapshot {
        let set = self.flags.iter().enumerate();
        let set = set.filter(|(_, flags)| !flags.is_empty());
        Snapshot {
            scalar: self.scalar,
            scalar_busy: self.scalar_busy,
            scalar_stands: self.scalar_stands.clone(),
            lanes: self.lanes.clone(),
            flags: set.map(|(number, flags)| (number, flags.clone())).collect(),
            last_writes: self.last_writes.clone(),
            recent: self.recent.clone(),
            instructions: self.instructions,
        }
    }

    /// Goes on by iterations that are like the one between two states.
    pub(super) fn skip(&mut self, before: &Snapshot, now: &Snapshot, turns: u32) {
        let times = f64::from(turns);
        let cycles = (now.scalar - before.scalar) * times;
        self.scalar += cycles;
        self.scalar_busy += (now.scalar_busy - before.scalar_busy) * times;
        further(&mut self.scalar_stands, &before.scalar_stands, times);
        for (lane, before) in self.lanes.iter_mut().zip(&before.lanes) {
            lane.free += cycles;
            lane.done += cycles;
            lane.busy += (lane.busy - before.busy) * times;
            further(&mut lane.stands, &before.stands, times);
            lane.begins.iter_mut().for_each(|begin| *begin += cycles);
            let waiting = lane.waiting.iter_mut();
            waiting.for_each(|queued| queued.issued += cycles);
        }
        for flags in &mut self.flags {
            flags.iter_mut().for_each(|time| *time += cycles);
        }
        self.instructions += (now.instructions - before.instructions) * u64::from(turns);
    }
}
