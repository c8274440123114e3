//! Predicts the time of a launch of a lowered kernel, from the constants of the chip's [`Timing`].
//!
//! Nothing here is a measurement. The walk follows the body of block 0 with its scalars evaluated;
//! the lowering gives that block the largest share.
//!
//! - A vector call takes `fixed + slope * repeats`, more where its sources share banks of UB
//!   (`cost/banks.rs`) or where it needs the result of the call before it.
//! - A copy takes its bytes over the rate that remains for one core while the other blocks copy as
//!   well.
//! - Vector calls with their scalar work, copies in and copies out overlap where every queue of the
//!   tile loops has two buffers. A block then takes the longest of the three, or the time of the
//!   memory that all blocks share, and one tile of the others.
//! - Where queues have one buffer, everything happens in order. Code that an author orders by hand
//!   counts as overlapped.
//! - A loop of more than [`MAX_TURNS`] iterations counts by its first two iterations and its last.
//!   The second one stands for those between.
//!
//! Left out:
//!
//! - conflicts of UB banks with writes;
//! - the scalar unit's own work (loops, addresses, mask registers);
//! - waits between pipes that no queue brings;
//! - barriers of all blocks, for which no time was published; the code around one counts as
//!   overlapped;
//! - accesses of several cores to one line of GM;
//! - L2: reads come from HBM;
//! - launch and end of a kernel.
//!
//! Start reading at [`estimate`], then `walk.rs`.

pub(crate) mod banks;
mod call;
pub mod event;
pub mod library;
pub mod replay;
pub mod stream;
mod touch;
pub mod validation;
mod walk;

#[cfg(test)]
mod tests;

use crate::ir::{Lowered, SourceSpan};
use crate::ops::contract::Pipe;
use crate::soc::{Chip, Timing};
use crate::tiling::{EvalError, Tiling};
use replay::Prediction;
use std::fmt;

/// Most iterations of a loop that are walked one by one.
pub const MAX_TURNS: i64 = 64;

/// The predicted time of a launch of a lowered kernel.
#[derive(Clone, Debug)]
pub struct Predicted {
    pub prediction: Prediction,
    /// Calls and copies of the longest block, in the order in which they first happen.
    pub lines: Vec<replay::Line>,
    /// Length of the share of block 0, which is the longest (rows, or elements of a flat kernel),
    /// where the lowering divides one.
    pub share: Option<i64>,
    /// True where a range is known only on the core and counts with its greatest length.
    pub at_most: bool,
    /// The first branch on data; its longer arm counts.
    pub branch: Option<SourceSpan>,
}

impl Predicted {
    /// True where data may shorten the predicted time.
    pub fn is_most(&self) -> bool {
        self.at_most || self.branch.is_some()
    }
}

/// Predicts the time of a launch of a lowered kernel by a replay of its events.
///
/// A range whose length is read from a tensor counts with its greatest length, and a branch on data
/// with its longer arm, where the launch does not say what was read.
///
/// # Errors
/// Fails on a chip without [`Timing`], and where a length depends on data and nothing bounds it.
pub fn predict(launch: &stream::Launch<'_>) -> Result<Predicted, CostError> {
    let without = stream::Launch {
        read: None,
        ..*launch
    };
    // Where nothing depends on data, a few blocks are enough.
    let walked = match stream::sample(&without) {
        Ok(walked) if walked.is_most() && launch.read.is_some() => stream::trace(launch)?,
        Err(CostError::Data(_)) if launch.read.is_some() => stream::trace(launch)?,
        walked => walked?,
    };
    let (prediction, lines) = replay::replay_lines(&walked.trace).map_err(CostError::Replay)?;
    Ok(Predicted {
        prediction,
        lines,
        share: stream::lengths(launch, 0)?.first().copied(),
        at_most: walked.at_most,
        branch: walked.branch,
    })
}

/// Calls of one op in one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The device function that the body calls; `None` for calls of the body itself.
    pub func: Option<String>,
    /// AscendC name of the op.
    pub op: &'static str,
    pub pipe: Pipe,
    /// Number of calls.
    pub calls: i64,
    /// Repeats of all calls; for copies, the stretches of GM.
    pub repeats: i64,
    /// Cycles of all calls.
    pub cycles: f64,
}

/// The unit that limits a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A pipe of its core.
    Pipe(Pipe),
    /// The memory behind all cores.
    Memory,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Pipe(pipe) => f.write_str(pipe.name()),
            Bound::Memory => f.write_str("GM"),
        }
    }
}

/// The predicted time of the longest block of a launch, in cycles of its core.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Calls and copies, in the order in which they first happen.
    pub lines: Vec<Line>,
    /// Blocks of the launch.
    pub blocks: i64,
    /// Length of the block's share (rows, or elements of a flat kernel), where the lowering divides
    /// one.
    pub share: Option<i64>,
    /// Iterations of the outermost loops that load tiles, else of the loops with copies.
    pub tiles: i64,
    /// True where a range is known only on the core and counts with its greatest length.
    pub at_most: bool,
    /// The first branch on data; its longer arm counts.
    pub branch: Option<SourceSpan>,
    /// True where copies from GM wait until the iteration before has computed, because one of their
    /// queues has one buffer.
    pub waits_in: bool,
    /// True where calls wait until the iteration before has been copied to GM, because one of their
    /// queues has one buffer.
    pub waits_out: bool,
    /// Cycles of vector calls, with the scalar accesses that they wait for.
    pub vector: f64,
    /// Cycles in which one source of a vector call waits for another one in its group of UB banks.
    pub conflicts: f64,
    /// Cycles of copies from GM.
    pub copy_in: f64,
    /// Cycles of copies to GM.
    pub copy_out: f64,
    /// Cycles of the memory, where every block moves as many bytes as this one.
    pub memory: f64,
    /// Bytes that the block reads from GM.
    pub bytes_in: i64,
    /// Bytes that the block writes to GM.
    pub bytes_out: i64,
    /// Cycles from the start to the first bytes.
    pub read_start: f64,
    /// Cycles from the last call to the last bytes.
    pub write_start: f64,
    /// Number of barriers of all blocks (SyncAll). No time was published for them, so they cost
    /// nothing.
    pub meetings: i64,
}

/// The reason that there is no prediction.
#[derive(Clone, Debug, PartialEq)]
pub enum CostError {
    /// The chip has no [`Timing`].
    NoTiming(&'static str),
    /// A bound or an extent depends on data of a tensor.
    Data(SourceSpan),
    /// A bound or an extent has no value.
    Scalar(SourceSpan, EvalError),
    /// A statement of the tile dialect or an instruction without an extent; the lowering leaves
    /// none.
    NotLowered(SourceSpan),
    /// Something that no checked kernel has.
    Malformed(SourceSpan, &'static str),
    /// The events cannot be replayed.
    Replay(replay::ReplayError),
    /// A number is larger than its field of an event.
    Event(SourceSpan, String),
}

impl fmt::Display for CostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |s: &SourceSpan| format!("line {}, column {}", s.line, s.column);
        match self {
            CostError::NoTiming(chip) => {
                write!(
                    f,
                    "nothing was published of what single calls take on {chip}"
                )
            }
            CostError::Data(span) => {
                write!(
                    f,
                    "{}: how often this runs depends on what is in a tensor",
                    at(span)
                )
            }
            CostError::Scalar(span, error) => {
                write!(f, "{}: a size cannot be computed: {error}", at(span))
            }
            CostError::Event(span, what) => {
                write!(f, "{}: {what}: more than an event holds", at(span))
            }
            CostError::Replay(error) => error.fmt(f),
            CostError::Malformed(span, what) => {
                write!(f, "{}: {what}: no checked kernel has this", at(span))
            }
            CostError::NotLowered(span) => write!(f, "{}: this is not lowered", at(span)),
        }
    }
}
impl std::error::Error for CostError {}

/// Predicts a launch of `lowered` from the host's decisions.
///
/// A range whose length is read from a tensor counts with its greatest length. A branch on data
/// counts with its longer arm.
///
/// # Errors
/// Fails on a chip without [`Timing`], and where a length depends on data and nothing bounds it.
pub fn estimate(lowered: &Lowered, chip: &Chip, tiling: &Tiling) -> Result<Estimate, CostError> {
    let timing: &Timing = chip.timing().ok_or(CostError::NoTiming(chip.name))?;
    walk::block(lowered, chip, timing, tiling)
}

impl Estimate {
    /// True where data may shorten the predicted time.
    pub fn is_most(&self) -> bool {
        self.at_most || self.branch.is_some()
    }
    /// Returns the unit that takes longest, and its cycles.
    pub fn bound(&self) -> (Bound, f64) {
        let pipes = [
            (Pipe::Mte2, self.copy_in),
            (Pipe::V, self.vector),
            (Pipe::Mte3, self.copy_out),
        ];
        let pipes = pipes.map(|(pipe, cycles)| (Bound::Pipe(pipe), cycles));
        // Keeps the first one of several equal ones.
        pipes
            .into_iter()
            .fold((Bound::Memory, self.memory), |most, next| {
                if next.1 > most.1 {
                    next
                } else {
                    most
                }
            })
    }

    /// Returns the cycles of the block: the longest unit and one tile of everything else.
    ///
    /// Copies on one side of the vector unit whose queue has one buffer do not overlap with it.
    /// Copies on the other side overlap with both.
    pub fn cycles(&self) -> f64 {
        let in_order = (self.copy_in + self.copy_out).max(self.memory) + self.vector;
        let (tiles, latency) = (self.tiles.max(1) as f64, self.read_start + self.write_start);
        let (bytes_in, bytes) = (
            self.bytes_in as f64,
            ((self.bytes_in + self.bytes_out) as f64).max(1.0),
        );
        let alone =
            |copies: f64, part: f64, start: f64| copies.max(self.memory * part) + start * tiles;
        let longest = match (self.waits_in, self.waits_out) {
            (false, false) => self.bound().1,
            (true, false) => self
                .bound()
                .1
                .max(alone(self.copy_in, bytes_in / bytes, self.read_start) + self.vector),
            (false, true) => self
                .bound()
                .1
                .max(alone(self.copy_out, 1.0 - bytes_in / bytes, self.write_start) + self.vector),
            (true, true) => return in_order + latency * tiles,
        };
        longest + (in_order - longest).max(0.0) / tiles + latency
    }

    /// Returns the cycles of the vector unit for one index of the share: a row, or an element of a
    /// flat kernel.
    pub fn vector_each(&self) -> Option<f64> {
        self.share
            .filter(|n| *n > 0)
            .map(|n| self.vector / n as f64)
    }
}
