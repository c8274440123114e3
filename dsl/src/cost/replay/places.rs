//! The timeline of a block, summed up by places of its source.

use super::{At, Passes, Point, Reason, State, Timeline};
use crate::cost::event::{Event, Name, Trace, What};
use crate::ops::contract::Pipe;
use std::collections::BTreeMap;
use std::fmt;

/// A place and the name of its instruction, by which slices are summed up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    file: Name,
    line: u32,
    about: String,
}

/// The part of a place in the critical path, in cycles.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// The place as `FILE:LINE`.
    pub place: String,
    pub about: String,
    /// True for copies from GM.
    pub copies_in: bool,
    /// Cycles in which it occupies its pipe.
    pub busy: f64,
    /// Cycles until its results are there.
    pub latency: f64,
    /// Cycles of the way to it: by the scalar unit or by a flag.
    pub way: f64,
}

impl Share {
    pub fn cycles(&self) -> f64 {
        self.busy + self.latency + self.way
    }
}

/// The waits of a pipe at one place for one reason, in cycles.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    pub pipe: Pipe,
    pub reason: Reason,
    /// The place of the wait as `FILE:LINE`.
    pub place: String,
    /// The instruction that waits; none where the place only waits.
    pub before: Option<String>,
    /// The instruction that ends the wait, with its place.
    pub ends: Option<String>,
    pub cycles: f64,
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (place, pipe, reason) = (&self.place, self.pipe.name(), self.reason);
        write!(f, "{place} {pipe} waits for {reason}")?;
        if let Some(before) = &self.before {
            write!(f, " before {before}")?;
        }
        match &self.ends {
            Some(ends) => write!(f, " ({ends})"),
            None => Ok(()),
        }
    }
}

impl Trace {
    /// Returns the place of an event as `FILE:LINE`.
    pub fn place(&self, event: &Event) -> String {
        format!("{}:{}", self.name(event.file), event.line)
    }

    /// Returns the name of an instruction; that of a flag says whose it is.
    pub fn label(&self, event: &Event) -> String {
        match event.what {
            What::Vector { op, .. } | What::Copy { op, .. } | What::Scalar { op, .. } => {
                self.name(op).to_string()
            }
            What::Set { from, to, .. } => format!("flag of {} to {}", from.name(), to.name()),
            What::Wait { from, to, .. } => format!("flag of {} to {}", from.name(), to.name()),
            What::Barrier { pipe } => {
                let pipe = pipe.map_or("ALL", Pipe::name);
                format!("PipeBarrier<PIPE_{pipe}>")
            }
            What::SyncAll => "SyncAll".to_string(),
            What::CrossSet { .. } => "CrossCoreSetFlag".to_string(),
            What::CrossWait { .. } => "CrossCoreWaitFlag".to_string(),
            What::Repeat { .. } => "repeated events".to_string(),
        }
    }
}

/// True for events that do work, and not only wait or tell.
fn works(event: &Event) -> bool {
    match event.what {
        What::Vector { .. } | What::Copy { .. } | What::Scalar { .. } => true,
        What::Set { .. }
        | What::Wait { .. }
        | What::Barrier { .. }
        | What::SyncAll
        | What::CrossSet { .. }
        | What::CrossWait { .. }
        | What::Repeat { .. } => false,
    }
}

/// Returns the parts of all places in the critical path, the largest first.
pub fn path_shares(trace: &Trace, timeline: &Timeline<'_>) -> Vec<Share> {
    let mut sums: BTreeMap<Key, Share> = BTreeMap::new();
    for part in timeline.critical_path() {
        let event = timeline.event(part.at);
        let (label, pipe) = (trace.label(event), part.at.pipe);
        let own = match event.what {
            What::Vector { .. } => Pipe::V,
            What::Copy { pipe, .. } => pipe,
            What::Scalar { .. }
            | What::Set { .. }
            | What::Wait { .. }
            | What::Barrier { .. }
            | What::SyncAll
            | What::CrossSet { .. }
            | What::CrossWait { .. }
            | What::Repeat { .. } => Pipe::S,
        };
        let hands_over = part.passes == Passes::Issue || pipe == Pipe::S && own != Pipe::S;
        let about = match part.passes {
            Passes::Cores => format!("{label} waits for other cores"),
            Passes::Flag => label,
            _ if hands_over => format!("{label}, issued by S"),
            Passes::Busy | Passes::Latency if works(event) => {
                format!("{label} on {}", pipe.name())
            }
            Passes::Busy | Passes::Latency | Passes::Issue => label,
        };
        let key = Key {
            file: event.file,
            line: event.line,
            about,
        };
        let share = sums.entry(key).or_insert_with_key(|key| Share {
            place: trace.place(event),
            about: key.about.clone(),
            copies_in: own == Pipe::Mte2,
            busy: 0.0,
            latency: 0.0,
            way: 0.0,
        });
        let cycles = part.end - part.begin;
        match part.passes {
            Passes::Busy if works(event) && !hands_over => share.busy += cycles,
            Passes::Latency if works(event) => share.latency += cycles,
            Passes::Busy | Passes::Latency | Passes::Issue | Passes::Flag | Passes::Cores => {
                share.way += cycles;
            }
        }
    }
    let mut all: Vec<Share> = sums.into_values().collect();
    all.sort_by(|a, b| b.cycles().total_cmp(&a.cycles()));
    all
}

/// Returns the waits of all pipes by place and reason, the longest first.
pub fn longest_waits(trace: &Trace, timeline: &Timeline<'_>) -> Vec<Wait> {
    type Named = (Name, u32, Option<Name>);
    let named = |at: At| {
        let event = timeline.event(at);
        let op = match event.what {
            What::Vector { op, .. } | What::Copy { op, .. } | What::Scalar { op, .. } => Some(op),
            What::Set { .. }
            | What::Wait { .. }
            | What::Barrier { .. }
            | What::SyncAll
            | What::CrossSet { .. }
            | What::CrossWait { .. }
            | What::Repeat { .. } => None,
        };
        (event.file, event.line, op)
    };
    let mut sums: BTreeMap<(Pipe, Reason, Named, Option<Named>), f64> = BTreeMap::new();
    for (slice, cause) in timeline.slices.iter().zip(&timeline.causes) {
        let State::Waits(reason) = slice.state else {
            continue;
        };
        // The scalar unit's work for the event itself tells nothing.
        let others = cause.filter(|cause| cause.point == Point::Done);
        let ends = others.map(|cause| named(timeline.slices[cause.slice].at));
        let key = (slice.at.pipe, reason, named(slice.at), ends);
        *sums.entry(key).or_default() += slice.cycles();
    }
    let place = |(file, line, _): &Named| format!("{}:{line}", trace.name(*file));
    let op = |(_, _, op): &Named| op.map(|op| trace.name(op).to_string());
    let sums = sums.into_iter();
    let all = sums.map(|((pipe, reason, at, ends), cycles)| Wait {
        pipe,
        reason,
        place: place(&at),
        before: op(&at),
        ends: ends.map(|at| match op(&at) {
            Some(op) => format!("{op} at {}", place(&at)),
            None => place(&at),
        }),
        cycles,
    });
    let mut all: Vec<Wait> = all.collect();
    all.sort_by(|a, b| b.cycles.total_cmp(&a.cycles));
    all
}
