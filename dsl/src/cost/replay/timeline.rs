//! The timeline of the longest block: when each pipe is busy, when it waits, and which instruction
//! ends each wait. The critical path follows from it.
//!
//! A core keeps its slices in the order in which it finds them, so that a cause stands before its
//! effect. Causes are found afterwards: the n-th wait for a flag belongs to the n-th set of it.

use super::Reason;
use crate::cost::event::{Event, Stream, What};
use crate::ops::contract::Pipe;
use std::collections::BTreeMap;
use std::ops::Range;

/// A pipe, and the index of its event in the stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
    pub pipe: Pipe,
    pub event: u32,
}

/// The state of a pipe during a slice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum State {
    Busy,
    Waits(Reason),
}

/// A stretch of a pipe's time, in cycles from the first instruction of the block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    pub at: At,
    pub state: State,
    pub begin: f64,
    pub end: f64,
    /// When the results are there: that of a busy slice lies behind its end.
    pub done: f64,
}

impl Slice {
    pub fn cycles(&self) -> f64 {
        self.end - self.begin
    }

    fn time(&self, point: Point) -> f64 {
        match point {
            Point::Begin => self.begin,
            Point::End => self.end,
            Point::Done => self.done,
        }
    }
}

/// The slices of a core, if they are asked for.
#[derive(Debug, Default)]
pub(super) struct Log(Option<Vec<Slice>>);

impl Log {
    pub(super) fn on() -> Log {
        Log(Some(Vec::new()))
    }

    pub(super) fn busy(&mut self, at: At, time: Range<f64>, done: f64) {
        if let Some(slices) = &mut self.0 {
            slices.push(Slice {
                at,
                state: State::Busy,
                begin: time.start,
                end: time.end,
                done,
            });
        }
    }

    pub(super) fn wait(&mut self, at: At, time: Range<f64>, reason: Reason) {
        if let Some(slices) = &mut self.0 {
            slices.push(Slice {
                at,
                state: State::Waits(reason),
                begin: time.start,
                end: time.end,
                done: time.end,
            });
        }
    }

    pub(super) fn into_slices(self) -> Vec<Slice> {
        self.0.unwrap_or_default()
    }
}

/// The point of a slice that others depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    Begin,
    End,
    Done,
}

/// The slice that another one depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Its index in [`Timeline::slices`].
    pub slice: usize,
    pub point: Point,
}

/// The way in which a part of the critical path passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Passes {
    /// The instruction occupies its pipe.
    Busy,
    /// Its results are on their way.
    Latency,
    /// The scalar unit hands it over.
    Issue,
    /// A flag is on its way to the pipe that waits.
    Flag,
    /// Other cores have not come.
    Cores,
}

/// A part of the critical path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// The index in [`Timeline::slices`] of the work, or of the wait that ends with it.
    pub slice: usize,
    pub at: At,
    pub passes: Passes,
    pub begin: f64,
    pub end: f64,
}

/// The slices of one block.
#[derive(Clone, Debug)]
pub struct Timeline<'a> {
    pub stream: &'a Stream,
    /// A slice stands behind those that it depends on.
    pub slices: Vec<Slice>,
    /// The cause of each slice: it decides when a busy one begins, and when a wait ends.
    pub causes: Vec<Option<Cause>>,
    /// The end of the last instruction with its results.
    pub cycles: f64,
}

impl<'a> Timeline<'a> {
    pub(super) fn of(stream: &'a Stream, slices: Vec<Slice>, cycles: f64) -> Timeline<'a> {
        let mut index = Index::of(&stream.events);
        for slice in &slices {
            index.add(slice);
        }
        let causes = (0..slices.len()).map(|at| index.cause(&slices, at));
        Timeline {
            stream,
            causes: causes.collect(),
            slices,
            cycles,
        }
    }

    /// Returns the event of a pipe's work or wait.
    pub fn event(&self, at: At) -> &'a Event {
        &self.stream.events[at.event as usize]
    }

    /// Returns the parts that determine the end of the block, the last one first. They follow one
    /// another without gaps, so that they sum up to all cycles.
    pub fn critical_path(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut add = |slice: usize, passes: Passes, time: Range<f64>| {
            if time.end > time.start {
                parts.push(Part {
                    slice,
                    at: self.slices[slice].at,
                    passes,
                    begin: time.start,
                    end: time.end,
                });
            }
        };
        let slices = self.slices.iter().enumerate();
        let last = slices.max_by(|(_, a), (_, b)| a.done.total_cmp(&b.done));
        let mut next = last.map(|(slice, _)| Cause {
            slice,
            point: Point::Done,
        });
        while let Some(Cause { slice: at, point }) = next {
            let slice = &self.slices[at];
            next = self.causes[at];
            match slice.state {
                State::Busy => {
                    if point == Point::Done {
                        add(at, Passes::Latency, slice.end..slice.done);
                    }
                    if point != Point::Begin {
                        add(at, Passes::Busy, slice.begin..slice.end);
                    }
                }
                State::Waits(reason) => {
                    let passes = match reason {
                        Reason::Scalar | Reason::Queue(_) => Passes::Issue,
                        Reason::Flag(_) => Passes::Flag,
                        Reason::Result | Reason::Barrier => Passes::Latency,
                        Reason::Cores => Passes::Cores,
                    };
                    let from = next.map_or(slice.begin, |cause| {
                        self.slices[cause.slice].time(cause.point)
                    });
                    add(at, passes, from..slice.end);
                }
            }
        }
        parts
    }
}

/// The slices of a core by pipe and by event.
struct Index {
    /// Those of each pipe in their order, and the place of each slice there.
    of_pipe: [Vec<usize>; Pipe::COUNT],
    rank: Vec<usize>,
    /// The busy ones of each pipe. Their results come in the same order.
    busy: [Vec<usize>; Pipe::COUNT],
    /// The scalar unit's work for each event.
    issue: Vec<Option<usize>>,
    /// The event that sets the flag for which an event waits.
    set: Vec<Option<u32>>,
}

impl Index {
    fn of(events: &[Event]) -> Index {
        Index {
            of_pipe: std::array::from_fn(|_| Vec::new()),
            rank: Vec::new(),
            busy: std::array::from_fn(|_| Vec::new()),
            issue: vec![None; events.len()],
            set: sets(events),
        }
    }

    fn add(&mut self, slice: &Slice) {
        let (at, pipe) = (self.rank.len(), slice.at.pipe);
        self.rank.push(self.of_pipe[pipe as usize].len());
        self.of_pipe[pipe as usize].push(at);
        if slice.state == State::Busy {
            self.busy[pipe as usize].push(at);
            if pipe == Pipe::S {
                self.issue[slice.at.event as usize] = Some(at);
            }
        }
    }

    /// The last instruction of a pipe in front of an event is done.
    fn done(&self, slices: &[Slice], pipe: Pipe, event: u32) -> Option<Cause> {
        let busy = &self.busy[pipe as usize];
        let count = busy.partition_point(|at| slices[*at].at.event < event);
        let last = busy[..count].last()?;
        Some(Cause {
            slice: *last,
            point: Point::Done,
        })
    }

    /// The scalar unit has handed an event over.
    fn issued(&self, event: u32) -> Option<Cause> {
        let slice = self.issue[event as usize]?;
        Some(Cause {
            slice,
            point: Point::End,
        })
    }

    /// The slice of the same pipe ends where this one begins. Where there is none, the scalar unit
    /// has handed it over at that time.
    fn before(&self, slices: &[Slice], at: usize) -> Option<Cause> {
        let At { pipe, event } = slices[at].at;
        let before = &self.of_pipe[pipe as usize][..self.rank[at]];
        let last = before.last().copied();
        match last.filter(|last| slices[*last].end >= slices[at].begin) {
            Some(slice) => Some(Cause {
                slice,
                point: Point::End,
            }),
            None if pipe == Pipe::S => None,
            None => self.issued(event),
        }
    }

    fn cause(&self, slices: &[Slice], at: usize) -> Option<Cause> {
        let slice = &slices[at];
        let At { pipe, event } = slice.at;
        let later = |a: &Cause, b: &Cause| {
            let time = |cause: &Cause| slices[cause.slice].time(cause.point);
            time(a).total_cmp(&time(b))
        };
        match slice.state {
            State::Busy | State::Waits(Reason::Cores) => self.before(slices, at),
            State::Waits(Reason::Scalar) => self.issued(event),
            State::Waits(Reason::Barrier) if pipe == Pipe::S => {
                let others = Pipe::ALL.into_iter().filter(|of| *of != Pipe::S);
                let all = others.filter_map(|of| self.done(slices, of, event));
                all.max_by(later)
            }
            State::Waits(Reason::Result | Reason::Barrier) => self.done(slices, pipe, event),
            State::Waits(Reason::Flag(from)) => {
                // Waits that the compiler adds in front of an access have no set of their own.
                let set = self.set[event as usize];
                let issued = set.and_then(|set| self.issued(set));
                let result = self.done(slices, from, set.unwrap_or(event));
                let result = result.filter(|_| from != Pipe::S);
                issued.into_iter().chain(result).max_by(later)
            }
            State::Waits(Reason::Queue(of)) => {
                let busy = &self.busy[of as usize];
                let begun = busy.partition_point(|at| slices[*at].begin <= slice.end);
                let last = busy[..begun].last()?;
                Some(Cause {
                    slice: *last,
                    point: Point::Begin,
                })
            }
        }
    }
}

/// The events of one flag.
#[derive(Default)]
struct Uses {
    sets: Vec<u32>,
    waits: Vec<u32>,
}

/// Finds the set of each wait: the n-th of the same flag.
fn sets(events: &[Event]) -> Vec<Option<u32>> {
    let mut flags: BTreeMap<(Pipe, Pipe, u8), Uses> = BTreeMap::new();
    for (at, event) in (0..).zip(events) {
        match event.what {
            What::Set { from, to, id } => flags.entry((from, to, id)).or_default().sets.push(at),
            What::Wait { from, to, id } => flags.entry((from, to, id)).or_default().waits.push(at),
            What::Vector { .. }
            | What::Copy { .. }
            | What::Barrier { .. }
            | What::Scalar { .. }
            | What::SyncAll
            | What::CrossSet { .. }
            | What::CrossWait { .. }
            | What::Repeat { .. } => {}
        }
    }
    let mut found = vec![None; events.len()];
    for Uses { sets, waits } in flags.into_values() {
        for (set, wait) in sets.into_iter().zip(waits) {
            found[wait as usize] = Some(set);
        }
    }
    found
}
