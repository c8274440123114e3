//! One core: pipes that work in order, and a scalar unit that hands them their work.
//!
//! The scalar unit walks the events. An instruction joins the end of its pipe and begins when that
//! is free; a pipe that waits for a flag holds up what stands behind it, and a pipe whose queue is
//! full holds up the scalar unit. Times are cycles.

use super::constants::Constants;
use super::memory;
use super::{Reason, ReplayError};
use crate::cost::banks;
use crate::cost::call::{Span, Steps};
use crate::cost::event::{Event, Operand, Place, Trace, What};
use crate::cost::library::class;
use crate::ops::contract::Pipe;
use crate::soc::{CallTime, Chip, Timing};
use std::collections::{BTreeMap, VecDeque};

/// Ids of flags between two pipes.
const IDS: usize = 256;
/// Accesses of UB that the scalar unit looks back on, where the compiler adds its waits.
const RECENT: usize = 64;

/// The time of an op, by its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    call: CallTime,
    sources: usize,
}

/// Finds the times of the ops that a trace names.
pub(super) fn known(trace: &Trace, timing: &Timing) -> Vec<Option<Known>> {
    let of = |name: &String| {
        let (cost, sources) = class(name)?;
        Some(Known {
            call: (timing.call)(cost),
            sources,
        })
    };
    trace.names.iter().map(of).collect()
}

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

    fn of(operand: &Operand, repeats: u32) -> Bytes {
        let steps = u64::from(repeats.saturating_sub(1)) * u64::from(operand.rep);
        let blocks = steps + 7 * u64::from(operand.blk) + 1;
        let bytes = u32::try_from(blocks * 32).unwrap_or(u32::MAX);
        Bytes {
            from: operand.at,
            to: operand.at.saturating_add(bytes),
        }
    }
}

/// Work of a pipe that waits in its queue.
#[derive(Clone, Copy, Debug)]
enum Item {
    Call { busy: f64, needs_last: bool },
    Copy { busy: f64, start: f64 },
    Set { to: Pipe, id: u8 },
    Wait { from: Pipe, id: u8 },
    Barrier,
}

/// One pipe of a core.
#[derive(Clone, Debug, Default)]
struct Lane {
    /// When its last instruction leaves room for the next, and when the results of all are there.
    free: f64,
    done: f64,
    waiting: VecDeque<(f64, Item)>,
    /// When the last instructions began, as many as the queue holds.
    begins: VecDeque<f64>,
    pub busy: f64,
    /// Cycles in which it stood, by reason.
    pub stands: BTreeMap<Reason, f64>,
}

/// Bytes of UB that a pipe has written, for the scalar unit.
#[derive(Clone, Copy, Debug)]
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
    chip: &'a Chip,
    constants: &'a Constants,
    timing: &'a Timing,
    known: &'a [Option<Known>],
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
}

fn flag(from: Pipe, to: Pipe, id: u8) -> usize {
    (from as usize * Pipe::COUNT + to as usize) * IDS + usize::from(id)
}

impl<'a> Core<'a> {
    pub(super) fn new(
        trace: &'a Trace,
        events: &'a [Event],
        (chip, constants, timing): (&'a Chip, &'a Constants, &'a Timing),
        known: &'a [Option<Known>],
    ) -> Core<'a> {
        Core {
            trace,
            chip,
            constants,
            timing,
            known,
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
            self.instructions += 1;
            match event.what {
                What::Vector { .. } => self.vector(event)?,
                What::Copy {
                    pipe, stretches, ..
                } => {
                    let bytes = f64::from(stretches.count) * f64::from(stretches.bytes);
                    let gaps = f64::from(stretches.count.saturating_sub(1));
                    let is_read = pipe == Pipe::Mte2;
                    let moved = memory::path(self.constants, pipe, bytes);
                    let busy = moved.max(self.constants.copy_issue.value)
                        + self.constants.stretch.value * gaps;
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
                What::CrossSet { .. } => self.scalar_work(1.0),
            }
        }
        self.settle();
        self.check_empty()?;
        Ok(Reached::End)
    }

    fn check_empty(&self) -> Result<(), ReplayError> {
        let waits = Pipe::ALL.into_iter().find_map(|pipe| {
            match self.lanes[pipe as usize].waiting.front() {
                Some((_, Item::Wait { from, id })) => Some((*from, pipe, *id)),
                Some(_) | None => None,
            }
        });
        match waits {
            Some((from, to, id)) => Err(ReplayError::NeverSet { from, to, id }),
            None => Ok(()),
        }
    }

    /// The scalar unit works for some cycles.
    fn scalar_work(&mut self, cycles: f64) {
        self.scalar += cycles;
        self.scalar_busy += cycles;
    }

    /// The scalar unit stands until a time.
    fn stand(&mut self, reason: Reason, until: f64) {
        if until > self.scalar {
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
        let lane = &mut self.lanes[pipe as usize];
        lane.waiting.push_back((self.scalar, item));
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
        while let Some((issued, item)) = self.lanes[pipe as usize].waiting.front().copied() {
            if let Item::Wait { from, id } = item {
                let Some(time) = self.flags[flag(from, pipe, id)].pop_front() else {
                    return set;
                };
                let lane = &mut self.lanes[pipe as usize];
                lane.waiting.pop_front();
                let ready = time.max(issued);
                if ready > lane.free {
                    *lane.stands.entry(Reason::Flag(from)).or_default() += ready - lane.free;
                    lane.free = ready;
                }
                continue;
            }
            let (constants, depth) = (self.constants, self.constants.queue_depth.value as usize);
            let lane = &mut self.lanes[pipe as usize];
            lane.waiting.pop_front();
            match item {
                Item::Wait { .. } => {}
                Item::Call { busy, needs_last } => {
                    lane.begin(issued + constants.dispatch.value, needs_last, depth);
                    lane.free += busy;
                    lane.done = lane.done.max(lane.free + constants.drain.value);
                    lane.busy += busy;
                }
                Item::Copy { busy, start } => {
                    lane.begin(issued + constants.dispatch.value, false, depth);
                    lane.free += busy;
                    lane.done = lane.done.max(lane.free + start);
                    lane.busy += busy;
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
                Item::Barrier => {
                    let until = lane.done;
                    if until > lane.free {
                        *lane.stands.entry(Reason::Barrier).or_default() += until - lane.free;
                        lane.free = until;
                    }
                }
            }
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
            op,
            repeats,
            lanes,
            last,
            operands,
        } = event.what
        else {
            return Ok(());
        };
        let known = self.known.get(usize::from(op.0)).copied().flatten();
        let known = known.ok_or_else(|| ReplayError::NoClass {
            op: self.trace.name(op).to_string(),
            place: self.trace.place(event),
        })?;
        let operands = operands.into_iter().flatten();
        let meets = |operand: &Operand| {
            let bytes = Bytes::of(operand, repeats);
            self.last_writes.iter().any(|written| written.meet(bytes))
        };
        let needs_last = operands.clone().any(|one| one.reads && meets(&one));
        let sources: Vec<banks::Source> = operands
            .clone()
            .filter(|operand| operand.reads)
            .map(|operand| banks::Source {
                at: i64::from(operand.at),
                bytes: i64::from(lanes) * i64::from(operand.size),
                steps: Steps::Blocks(i64::from(operand.blk) * 32, i64::from(operand.rep) * 32),
            })
            .collect();
        let span = Span::repeated(i64::from(repeats), i64::from(lanes));
        let conflicts = banks::conflicts(self.chip, known.call.slope, &sources, span);
        let open = last < lanes && known.sources > 1;
        let busy = known.call.fixed
            + known.call.slope * f64::from(repeats)
            + conflicts
            + if open { self.timing.open_end } else { 0.0 };
        self.last_writes.clear();
        for operand in operands.filter(|operand| operand.writes) {
            let bytes = Bytes::of(&operand, repeats);
            self.last_writes.push(bytes);
            self.remember(Written {
                bytes,
                pipe: Pipe::V,
            });
        }
        self.hand(Pipe::V, Item::Call { busy, needs_last })
    }
}

impl Lane {
    /// An instruction begins, not before a time, and behind the results of the last one if it needs
    /// them.
    fn begin(&mut self, ready: f64, needs_last: bool, depth: usize) {
        if ready > self.free {
            *self.stands.entry(Reason::Scalar).or_default() += ready - self.free;
            self.free = ready;
        }
        if needs_last && self.done > self.free {
            *self.stands.entry(Reason::Result).or_default() += self.done - self.free;
            self.free = self.done;
        }
        if self.begins.len() > depth {
            self.begins.pop_front();
        }
        self.begins.push_back(self.free);
    }
}
