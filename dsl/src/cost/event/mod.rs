//! The events of a core: what its scalar unit meets, in the order of the program.
//!
//! A launch is a [`Trace`]. It is the same whoever made it: the walk of a lowered kernel, the
//! simulator, or AscendC on the CPU. `file.rs` is its binary form, `text.rs` the one to read; both
//! give back what they were given.

mod differ;
mod file;
mod text;

#[cfg(test)]
mod tests;

pub use file::{library_call, FileError, RECORD, VERSION};
pub use text::TextError;

use crate::ops::contract::Pipe;
use std::ops::Range;

/// Most operands of a vector call.
pub const OPERANDS: usize = 5;

/// A string of [`Trace::names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(pub u16);

/// The data blocks that a vector call touches of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Steps {
    /// Repeat `r` has its blocks at `at + 32 * (r * rep + i * blk)`.
    Blocks {
        /// Data blocks from block to block.
        blk: u16,
        /// Data blocks from repeat to repeat.
        rep: u16,
    },
    /// So many data blocks from the first one, whatever the repeats are.
    Dense { blocks: u16 },
}

/// An operand of a vector call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operand {
    /// Address of the first byte in UB.
    pub at: u32,
    pub steps: Steps,
    /// Bytes of an element: 1, 2, 4 or 8.
    pub size: u8,
    pub reads: bool,
    pub writes: bool,
}

/// The order to L2 about the bytes of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// They are kept as others are.
    Normal,
    /// L2 does not keep them.
    Bypass,
}

/// Bytes of a tensor in GM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Global {
    pub tensor: Name,
    /// Bytes from the start of the tensor.
    pub at: u64,
}

/// A copy between GM and UB: stretches of equal length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretches {
    pub count: u32,
    /// Bytes of each one.
    pub bytes: u32,
    /// Bytes of GM from the start of one to the next.
    pub pitch: u32,
    /// Address of the first in UB.
    pub ub: u32,
    /// Bytes of UB from the start of one to the next.
    pub ub_pitch: u32,
}

/// The memory of an access of the scalar unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Ub(u32),
    Gm(Global),
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A call of the vector unit.
    Vector {
        op: Name,
        repeats: u32,
        /// Elements of a whole repeat.
        lanes: u16,
        /// Elements of the last repeat.
        last: u16,
        operands: [Option<Operand>; OPERANDS],
    },
    /// A copy between GM and UB; the pipe is its direction.
    Copy {
        op: Name,
        pipe: Pipe,
        gm: Global,
        hint: Hint,
        stretches: Stretches,
    },
    /// One pipe tells another that it has come here.
    Set { from: Pipe, to: Pipe, id: u8 },
    /// A pipe stands until another has told it.
    Wait { from: Pipe, to: Pipe, id: u8 },
    /// A pipe stands until it has done what it has begun; all of them where none is named.
    Barrier { pipe: Option<Pipe> },
    /// The scalar unit reads or writes a value.
    Scalar {
        op: Name,
        place: Place,
        bytes: u8,
        writes: bool,
    },
    /// All blocks wait for each other.
    SyncAll,
    /// A pipe tells other cores.
    CrossSet { pipe: Pipe, mode: u8, id: u8 },
    /// The core stands until others have told it.
    CrossWait { id: u8 },
    /// As many events before this one happen so many times more. As many before those are alike;
    /// each place in GM goes on as it did from them.
    Repeat { events: u32, times: u32 },
}

/// One event with its place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub file: Name,
    /// Counted from 1; 0 where nobody knows.
    pub line: u32,
    pub what: What,
}

/// The events of one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    pub block: u32,
    /// Blocks that do the same, this one among them. Their places in GM may differ.
    pub alike: u32,
    pub events: Vec<Event>,
}

impl Stream {
    /// Calls `each` with every event in order, those that are repeated as often as they happen.
    pub fn visit(&self, each: &mut impl FnMut(&Event)) {
        self.visit_part(0..self.events.len(), &|_| 0, each);
    }

    /// Visits a part whose places in GM lie further by what `shift` says of each event.
    fn visit_part(
        &self,
        part: Range<usize>,
        shift: &dyn Fn(usize) -> i64,
        each: &mut impl FnMut(&Event),
    ) {
        for at in part {
            let What::Repeat { events, times } = self.events[at].what else {
                let mut event = self.events[at];
                if let Some(gm) = event.what.global_mut() {
                    gm.at = gm.at.wrapping_add_signed(shift(at));
                }
                each(&event);
                continue;
            };
            let count = events as usize;
            let first = at.saturating_sub(count);
            for turn in 1..=i64::from(times) {
                let further = |at: usize| shift(at) + turn * self.step(at, count);
                self.visit_part(first..at, &further, each);
            }
        }
    }

    /// Returns the bytes of GM from an event's place so many events before to its own.
    fn step(&self, at: usize, before: usize) -> i64 {
        let place = |at: usize| self.events.get(at).and_then(|event| event.what.global());
        let earlier = at.checked_sub(before).and_then(place);
        match (place(at), earlier) {
            (Some(own), Some(earlier)) => own.at.wrapping_sub(earlier.at) as i64,
            (Some(_), None) | (None, _) => 0,
        }
    }
}

impl What {
    /// Returns the place in GM of a copy or an access.
    pub fn global(&self) -> Option<Global> {
        match self {
            What::Copy { gm, .. }
            | What::Scalar {
                place: Place::Gm(gm),
                ..
            } => Some(*gm),
            What::Scalar { .. }
            | What::Vector { .. }
            | What::Set { .. }
            | What::Wait { .. }
            | What::Barrier { .. }
            | What::SyncAll
            | What::CrossSet { .. }
            | What::CrossWait { .. }
            | What::Repeat { .. } => None,
        }
    }

    /// Returns the place in GM for changes.
    pub fn global_mut(&mut self) -> Option<&mut Global> {
        match self {
            What::Copy { gm, .. }
            | What::Scalar {
                place: Place::Gm(gm),
                ..
            } => Some(gm),
            What::Scalar { .. }
            | What::Vector { .. }
            | What::Set { .. }
            | What::Wait { .. }
            | What::Barrier { .. }
            | What::SyncAll
            | What::CrossSet { .. }
            | What::CrossWait { .. }
            | What::Repeat { .. } => None,
        }
    }

    /// Returns the event without its place in GM, by which iterations and blocks differ.
    pub fn without_place(mut self) -> What {
        if let Some(gm) = self.global_mut() {
            gm.at = 0;
        }
        self
    }
}

/// The events of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pub chip: String,
    pub kernel: String,
    /// Blocks of the launch, of which some may have no stream.
    pub blocks: u32,
    /// The compiler adds the waits between the scalar unit and the pipes, which stand nowhere here.
    pub auto_sync: bool,
    pub names: Vec<String>,
    pub streams: Vec<Stream>,
}

impl Trace {
    /// Returns the trace with every repeated event.
    pub fn expanded(mut self) -> Trace {
        for stream in &mut self.streams {
            let mut events = Vec::with_capacity(stream.events.len());
            stream.visit(&mut |event| events.push(*event));
            stream.events = events;
        }
        self
    }

    /// Returns a string, `?` for one that is not there.
    pub fn name(&self, name: Name) -> &str {
        self.names
            .get(usize::from(name.0))
            .map_or("?", String::as_str)
    }
}

/// The strings of a trace that is being made, each once.
#[derive(Clone, Debug, Default)]
pub struct Names {
    all: Vec<String>,
    known: std::collections::BTreeMap<String, Name>,
}

impl Names {
    /// Returns the name of a string; `None` where a trace has no more room for new ones.
    pub fn of(&mut self, text: &str) -> Option<Name> {
        if let Some(known) = self.known.get(text) {
            return Some(*known);
        }
        let name = Name(u16::try_from(self.all.len()).ok()?);
        self.all.push(text.to_string());
        self.known.insert(text.to_string(), name);
        Some(name)
    }

    /// Returns the strings in the order in which they came.
    pub fn into_vec(self) -> Vec<String> {
        self.all
    }
}
