//! One core: pipes that work in order, and a scalar unit that hands them their work.
//!
//! The scalar unit walks the events. An instruction joins the end of its pipe and begins when that
//! is free; a pipe that waits for a flag holds up what stands behind it, and a pipe whose queue is
//! full holds up the scalar unit. Times are cycles.

mod steady;

use super::constants::Constants;
use super::timeline::{At, Log};
use super::times::Times;
use super::{Reason, ReplayError};
use crate::cost::event::{Event, Operand, Place, Steps, Trace, What};
use crate::ops::contract::Pipe;
use std::collections::{BTreeMap, VecDeque};

/// Ids of flags between two pipes.
const IDS: usize = 256;
/// Bytes of a data block.
const BLOCK: u32 = 32;
/// Accesses of UB that the scalar unit looks back on, where the compiler adds its waits.
const RECENT: usize = 64;

/// Bytes of UB.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bytes {
    from: u32,
    to: u32,
}

impl Bytes {
    fn meet(self, other: Bytes) -> bool {
        self.from < other.to && other.from < self.to
    }

    fn of(operand: &Operand, repeats: u32, lanes: u16) -> Bytes {
        let from = operand.at / BLOCK * BLOCK;
        let blocks = match operand.steps {
            Steps::Blocks { blk, rep } => {
                let steps = u64::from(repeats.saturating_sub(1)) * u64::from(rep);
                let bytes = u32::from(lanes) * u32::from(operand.size);
                let blocks = bytes.div_ceil(BLOCK).max(1);
                steps + u64::from(blocks - 1) * u64::from(blk) + 1
            }
            Steps::Dense { blocks } => blocks.into(),
        };
        let bytes = u32::try_from(blocks * u64::from(BLOCK)).unwrap_or(u32::MAX);
        Bytes {
            from,
            to: from.saturating_add(bytes),
        }
    }
}

/// Work of a pipe that waits in its queue.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    Call { busy: f64, needs_last: bool },
    Copy { busy: f64, start: f64 },
    Set { to: Pipe, id: u8 },
    Wait { from: Pipe, id: u8 },
    Barrier,
}

/// An item with the event that it comes from.
#[derive(Clone, Copy, Debug)]
struct Queued {
    /// When the scalar unit has handed it over.
    issued: f64,
    event: u32,
    item: Item,
}

/// One pipe of a core.
#[derive(Clone, Debug, Default)]
struct Lane {
    /// When its last instruction leaves room for the next, and when the results of all are there.
    free: f64,
    done: f64,
    waiting: VecDeque<Queued>,
    /// When the last instructions began, as many as the queue holds.
    begins: VecDeque<f64>,
    pub busy: f64,
    /// Cycles in which it stood, by reason.
    pub stands: BTreeMap<Reason, f64>,
}

/// Bytes of UB that a pipe has written, for the scalar unit.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Written {
    bytes: Bytes,
    pipe: Pipe,
}

/// The end of a stretch without other cores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reached {
    /// All cores are waited for.
    Meeting,
    End,
}

/// A core that runs the events of a block.
pub(super) struct Core<'a> {
    trace: &'a Trace,
    constants: &'a Constants,
    times: Times<'a>,
    events: &'a [Event],
    next: usize,
    /// The scalar unit's clock.
    pub scalar: f64,
    pub scalar_busy: f64,
    pub scalar_stands: BTreeMap<Reason, f64>,
    lanes: [Lane; Pipe::COUNT],
    flags: Vec<VecDeque<f64>>,
    /// Writes of the vector call before; empty where the pipe has run dry since.
    last_writes: Vec<Bytes>,
    recent: VecDeque<Written>,
    pub instructions: u64,
    /// The stretches of all pipes, where someone asks for a timeline.
    pub log: Log,
}

fn flag(from: Pipe, to: Pipe, id: u8) -> usize {
    (from as usize * Pipe::COUNT + to as usize) * IDS + usize::from(id)
}

impl<'a> Core<'a> {
    pub(super) fn new(times: Times<'a>, events: &'a [Event]) -> Core<'a> {
        Core {
            trace: times.trace,
            constants: times.constants,
            times,
            events,
            next: 0,
            scalar: 0.0,
            scalar_busy: 0.0,
            scalar_stands: BTreeMap::new(),
            lanes: std::array::from_fn(|_| Lane::default()),
            flags: vec![VecDeque::new(); Pipe::COUNT * Pipe::COUNT * IDS],
            last_writes: Vec::new(),
            recent: VecDeque::new(),
            instructions: 0,
            log: Log::default(),
        }
    }

    /// Returns the busy cycles of a pipe, and those in which it stood.
    pub(super) fn of_pipe(&self, pipe: Pipe) -> (f64, &BTreeMap<Reason, f64>) {
        match pipe {
            Pipe::S => (self.scalar_busy, &self.scalar_stands),
            Pipe::V | Pipe::Mte2 | Pipe::Mte3 => {
                let lane = &self.lanes[pipe as usize];
                (lane.busy, &lane.stands)
            }
        }
    }

    /// Returns when all that has begun is done.
    pub(super) fn end(&self) -> f64 {
        self.lanes
            .iter()
            .map(|lane| lane.done)
            .fold(self.scalar, f64::max)
    }

    /// All cores have come at this time.
    pub(super) fn meet(&mut self, time: f64) {
        self.stand(Reason::Cores, time);
        for lane in &mut self.lanes {
            lane.free = lane.free.max(time);
            lane.done = lane.done.max(time);
        }
        self.last_writes.clear();
        self.recent.clear();
    }

    /// Runs until other cores are waited for, or to the end.
    pub(super) fn run(&mut self) -> Result<Reached, ReplayError> {
        while let Some(event) = self.events.get(self.next) {
            self.next += 1;
            if self.step(event)? == Reached::Meeting {
                return Ok(Reached::Meeting);
            }
        }
        self.settle();
        self.check_empty()?;
        Ok(Reached::End)
    }

    /// Runs one event.
    fn step(&mut self, event: &Event) -> Result<Reached, ReplayError> {
        self.instructions += 1;
        match event.what {
            What::Vector { .. } => self.vector(event)?,
            What::Copy {
                pipe, stretches, ..
            } => {
                let is_read = pipe == Pipe::Mte2;
                let busy = self.times.copy(pipe, stretches);
                let start = if is_read {
                    self.constants.read_start.value
                } else {
                    self.constants.write_start.value
                };
                let begin = stretches.ub;
                let rows = stretches.count.saturating_sub(1);
                let end = begin
                    .saturating_add(rows.saturating_mul(stretches.ub_pitch))
                    .saturating_add(stretches.bytes);
                let bytes = Bytes {
                    from: begin,
                    to: end,
                };
                self.remember(Written { bytes, pipe });
                self.hand(pipe, Item::Copy { busy, start })?;
            }
            What::Set {
                from: from @ Pipe::S,
                to,
                id,
            } => {
                self.scalar_work(1.0);
                let time = self.scalar + self.constants.event.value;
                self.flags[flag(from, to, id)].push_back(time);
                self.settle();
            }
            What::Set { from, to, id } => self.hand(from, Item::Set { to, id })?,
            What::Wait {
                from,
                to: Pipe::S,
                id,
            } => self.scalar_waits(event, from, id)?,
            What::Wait { from, to, id } => self.hand(to, Item::Wait { from, id })?,
            What::Barrier { pipe: Some(pipe) } => self.hand(pipe, Item::Barrier)?,
            What::Barrier { pipe: None } => self.drain(event)?,
            What::Scalar { place, writes, .. } => self.scalar_access(place, writes, event)?,
            What::SyncAll | What::CrossWait { .. } => {
                self.drain(event)?;
                return Ok(Reached::Meeting);
            }
            What::Repeat { events, times } => self.repeat(events, times)?,
            What::CrossSet { .. } => self.scalar_work(1.0),
        }
        Ok(Reached::End)
    }

    /// Runs events that are repeated. As soon as a iteration leaves the core as the one before did,
    /// the others take as long.
    fn repeat(&mut self, events: u32, times: u32) -> Result<(), ReplayError> {
        let behind = self.next;
        let first = (behind - 1).saturating_sub(events as usize);
        let mut before = self.snapshot();
        for turn in 1..=times {
            for at in first..behind - 1 {
                self.next = at + 1;
                let event = &self.events[at];
                if self.step(event)? == Reached::Meeting {
                    return Err(ReplayError::Uneven);
                }
            }
            let now = self.snapshot();
            if now.is_like(&before) {
                self.skip(&before, &now, times - turn);
                break;
            }
            before = now;
        }
        self.next = behind;
        Ok(())
    }

    fn check_empty(&self) -> Result<(), ReplayError> {
        let waits = Pipe::ALL.into_iter().find_map(|pipe| {
            match self.lanes[pipe as usize].waiting.front() {
                Some(Queued {
                    item: Item::Wait { from, id },
                    ..
                }) => Some((*from, pipe, *id)),
                Some(_) | None => None,
            }
        });
        match waits {
            Some((from, to, id)) => Err(ReplayError::NeverSet { from, to, id }),
            None => Ok(()),
        }
    }

    /// Returns the event of the scalar unit.
    fn event(&self) -> u32 {
        (self.next - 1) as u32
    }

    /// The scalar unit works for some cycles.
    fn scalar_work(&mut self, cycles: f64) {
        let at = At {
            pipe: Pipe::S,
            event: self.event(),
        };
        let (begin, end) = (self.scalar, self.scalar + cycles);
        self.log.busy(at, begin..end, end);
        self.scalar = end;
        self.scalar_busy += cycles;
    }

    /// The scalar unit stands until a time.
    fn stand(&mut self, reason: Reason, until: f64) {
        if until > self.scalar {
            let at = At {
                pipe: Pipe::S,
                event: self.event(),
            };
            self.log.wait(at, self.scalar..until, reason);
            *self.scalar_stands.entry(reason).or_default() += until - self.scalar;
            self.scalar = until;
        }
    }

    fn remember(&mut self, written: Written) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(written);
    }

    /// Hands work to a pipe.
    fn hand(&mut self, pipe: Pipe, item: Item) -> Result<(), ReplayError> {
        self.scalar_work(match item {
            Item::Call { .. } | Item::Copy { .. } => self.constants.issue.value,
            Item::Set { .. } | Item::Wait { .. } | Item::Barrier => 1.0,
        });
        let depth = self.constants.queue_depth.value as usize;
        let lane = &self.lanes[pipe as usize];
        // Where its queue is full, the scalar unit stands until the pipe has begun one.
        if lane.waiting.is_empty() && lane.begins.len() >= depth {
            let begun = lane.begins[lane.begins.len() - depth];
            self.stand(Reason::Queue(pipe), begun);
        }
        let queued = Queued {
            issued: self.scalar,
            event: self.event(),
            item,
        };
        self.lanes[pipe as usize].waiting.push_back(queued);
        self.settle();
        Ok(())
    }

    /// Lets every pipe do what it can.
    fn settle(&mut self) {
        loop {
            let mut moved = false;
            for pipe in Pipe::ALL {
                moved |= self.advance(pipe);
            }
            if !moved {
                return;
            }
        }
    }

    /// Lets a pipe work until it is at a flag that nobody has set. True if it has set one.
    fn advance(&mut self, pipe: Pipe) -> bool {
        let mut set = false;
        while let Some(queued) = self.lanes[pipe as usize].waiting.front().copied() {
            let Queued {
                issued,
                event,
                item,
            } = queued;
            let (constants, depth) = (self.constants, self.constants.queue_depth.value as usize);
            let lane = &mut self.lanes[pipe as usize];
            let mut step = Step {
                at: At { pipe, event },
                log: &mut self.log,
            };
            match item {
                Item::Wait { from, id } => {
                    let Some(time) = self.flags[flag(from, pipe, id)].pop_front() else {
                        return set;
                    };
                    // A pipe that learns of a flag behind its time has waited for the scalar unit.
                    lane.stand(&mut step, Reason::Flag(from), time);
                    lane.stand(&mut step, Reason::Scalar, issued);
                }
                Item::Call { busy, needs_last } => {
                    let ready = issued + constants.dispatch.value;
                    lane.begin(&mut step, ready, needs_last, depth);
                    lane.work(&mut step, busy, constants.drain.value);
                }
                Item::Copy { busy, start } => {
                    let ready = issued + constants.dispatch.value;
                    lane.begin(&mut step, ready, false, depth);
                    lane.work(&mut step, busy, start);
                }
                Item::Set { to, id } => {
                    let latency = match to {
                        Pipe::S => constants.event_to_scalar.value,
                        Pipe::V | Pipe::Mte2 | Pipe::Mte3 => constants.event.value,
                    };
                    let time = lane.done.max(issued) + latency;
                    self.flags[flag(pipe, to, id)].push_back(time);
                    set = true;
                }
                Item::Barrier => lane.stand(&mut step, Reason::Barrier, lane.done),
            }
            self.lanes[pipe as usize].waiting.pop_front();
        }
        set
    }

    /// The scalar unit stands until all pipes are done.
    fn drain(&mut self, event: &Event) -> Result<(), ReplayError> {
        self.settle();
        self.check_empty().map_err(|e| e.at(self.trace, event))?;
        let end = self.end();
        self.stand(Reason::Barrier, end);
        self.last_writes.clear();
        self.recent.clear();
        Ok(())
    }

    fn scalar_waits(&mut self, event: &Event, from: Pipe, id: u8) -> Result<(), ReplayError> {
        self.scalar_work(1.0);
        self.settle();
        let time = self.flags[flag(from, Pipe::S, id)].pop_front().ok_or(
            ReplayError::NeverSet {
                from,
                to: Pipe::S,
                id,
            }
            .at(self.trace, event),
        )?;
        self.stand(Reason::Flag(from), time);
        Ok(())
    }

    fn scalar_access(
        &mut self,
        place: Place,
        writes: bool,
        event: &Event,
    ) -> Result<(), ReplayError> {
        match place {
            Place::Gm(_) => {
                let cycles = if writes {
                    self.constants.scalar_ub.value
                } else {
                    self.constants.scalar_gm.value
                };
                self.scalar_work(cycles);
            }
            Place::Ub(at) => {
                if self.trace.auto_sync {
                    self.wait_for_bytes(at, event)?;
                }
                self.scalar_work(self.constants.scalar_ub.value);
            }
        }
        Ok(())
    }

    /// The wait that the compiler adds in front of an access of the scalar unit: for the pipe that
    /// has touched the bytes last.
    fn wait_for_bytes(&mut self, at: u32, event: &Event) -> Result<(), ReplayError> {
        let one = Bytes {
            from: at,
            to: at.saturating_add(1),
        };
        let found = self.recent.iter().rposition(|w| w.bytes.meet(one));
        let Some(found) = found else {
            return Ok(());
        };
        let pipe = self.recent[found].pipe;
        self.settle();
        if !self.lanes[pipe as usize].waiting.is_empty() {
            self.check_empty().map_err(|e| e.at(self.trace, event))?;
        }
        let until = self.lanes[pipe as usize].done + self.constants.event_to_scalar.value;
        self.stand(Reason::Flag(pipe), until);
        // All that this pipe has done is there now.
        self.recent.retain(|written| written.pipe != pipe);
        if pipe == Pipe::V {
            self.last_writes.clear();
        }
        Ok(())
    }

    fn vector(&mut self, event: &Event) -> Result<(), ReplayError> {
        let What::Vector {
            repeats,
            lanes,
            operands,
            ..
        } = event.what
        else {
            return Ok(());
        };
        let call = self.times.call(event)?;
        let operands = operands.into_iter().flatten();
        let meets = |operand: &Operand| {
            let bytes = Bytes::of(operand, repeats, lanes);
            self.last_writes.iter().any(|written| written.meet(bytes))
        };
        // The compiler's own barrier. Without it V does not wait: a loop of additions in place
        // takes as long as one of others (bank_conflict_ub, case 6).
        let needs_last =
            self.trace.auto_sync && operands.clone().any(|one| one.reads && meets(&one));
        self.last_writes.clear();
        for operand in operands.filter(|operand| operand.writes) {
            let bytes = Bytes::of(&operand, repeats, lanes);
            self.last_writes.push(bytes);
            self.remember(Written {
                bytes,
                pipe: Pipe::V,
            });
        }
        let busy = call.busy;
        self.hand(Pipe::V, Item::Call { busy, needs_last })?;
        if call.waits {
            self.round_trip(event)?;
        }
        Ok(())
    }

    /// The end of a reduction with a count: the scalar unit waits for the sum, stores it, and lets
    /// V go on (asc-devkit, `dav_c220/kernel_operator_vec_reduce_impl.h`).
    fn round_trip(&mut self, event: &Event) -> Result<(), ReplayError> {
        self.settle();
        self.check_empty().map_err(|e| e.at(self.trace, event))?;
        let done = self.lanes[Pipe::V as usize].done + self.constants.event_to_scalar.value;
        self.stand(Reason::Flag(Pipe::V), done);
        self.scalar_work(self.constants.scalar_ub.value);
        let goes_on = self.scalar + self.constants.event.value;
        let at = At {
            pipe: Pipe::V,
            event: self.event(),
        };
        let lane = &mut self.lanes[Pipe::V as usize];
        let mut step = Step {
            at,
            log: &mut self.log,
        };
        lane.stand(&mut step, Reason::Flag(Pipe::S), goes_on);
        self.last_writes.clear();
        Ok(())
    }
}

/// An item of a pipe, and the log that hears of it.
struct Step<'l> {
    at: At,
    log: &'l mut Log,
}

impl Lane {
    /// Stands until a time.
    fn stand(&mut self, step: &mut Step<'_>, reason: Reason, until: f64) {
        if until > self.free {
            step.log.wait(step.at, self.free..until, reason);
            *self.stands.entry(reason).or_default() += until - self.free;
            self.free = until;
        }
    }

    /// An instruction begins, not before a time, and behind the results of the last one if it needs
    /// them.
    fn begin(&mut self, step: &mut Step<'_>, ready: f64, needs_last: bool, depth: usize) {
        self.stand(step, Reason::Scalar, ready);
        if needs_last {
            self.stand(step, Reason::Result, self.done);
        }
        if self.begins.len() > depth {
            self.begins.pop_front();
        }
        self.begins.push_back(self.free);
    }

    /// Works for some cycles; the results come some cycles behind the end.
    fn work(&mut self, step: &mut Step<'_>, cycles: f64, latency: f64) {
        let (begin, end) = (self.free, self.free + cycles);
        step.log.busy(step.at, begin..end, end + latency);
        self.free = end;
        self.done = self.done.max(end + latency);
        self.busy += cycles;
    }
}
