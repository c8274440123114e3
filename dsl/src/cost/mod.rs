//! What a launch of a lowered kernel is predicted to take, from the constants of the chip's [`Timing`]. Nothing here is a measurement.
//!
//! The body of one block is walked with its scalars evaluated: block 0, whose share is the largest that the lowering makes. Each
//! vector call takes `fixed + slope * repeats`, more where its sources share banks of UB (`cost/banks.rs`), and where it needs the result of the call before it; each copy takes its bytes
//! over the rate that is left to a core, the other blocks doing the same. Vector calls with what the scalar unit does for them,
//! copies in and copies out run beside one another where every queue of the tile loops has two buffers, so a block takes as long as the
//! longest of the three, or as the memory takes that all blocks share, and one tile of the others.
//!
//! What is left out: conflicts of UB banks with writes, the scalar unit's own work (loops, addresses, mask registers), waits between pipes that
//! no queue brings, meetings of all blocks (of whose price nothing was published; what stands before and behind one is taken to overlap), accesses of several cores to one line of GM, L2 (what is read comes from HBM), launch and end of a kernel. Where
//! queues have one buffer, everything is taken to happen in order; what an author orders by hand is taken to run side by side. A loop of more than [`MAX_TURNS`] turns is counted by its first
//! two turns and its last, the second standing for those between.

pub(crate) mod banks;
mod call;
mod touch;
mod walk;

#[cfg(test)]
mod tests;

use crate::ir::{Lowered, SourceSpan};
use crate::ops::contract::Pipe;
use crate::soc::{Chip, Timing};
use crate::tiling::{EvalError, Tiling};
use std::fmt;

/// Most turns of a loop that are walked one by one.
pub const MAX_TURNS: i64 = 64;

/// Calls of one op in one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The device function that the body calls; `None` for calls of the body itself.
    pub func: Option<String>,
    /// AscendC name of the op.
    pub op: &'static str,
    /// Its pipe.
    pub pipe: Pipe,
    /// How many.
    pub calls: i64,
    /// Repeats of all of them; of copies, the stretches of GM.
    pub repeats: i64,
    /// Cycles of all of them.
    pub cycles: f64,
}

/// What keeps a block from being faster.
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

/// What the longest block of a launch is predicted to take, in cycles of its core.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Calls and copies, in the order in which they first happen.
    pub lines: Vec<Line>,
    /// Blocks of the launch.
    pub blocks: i64,
    /// Length of the block's share (rows, or elements of a flat kernel), where the lowering divides one.
    pub share: Option<i64>,
    /// Turns of the outermost loops that load tiles; where none does, of those with copies.
    pub tiles: i64,
    /// True where a range that only a core knows was taken to be as long as it may be.
    pub at_most: bool,
    /// The first branch of which data says which arm is taken: the longer one is counted.
    pub branch: Option<SourceSpan>,
    /// True where a turn waits with its copies from GM until the one before has computed, since a queue of theirs has one buffer.
    pub waits_in: bool,
    /// True where a turn waits with its calls until the one before has been copied to GM, since a queue of theirs has one buffer.
    pub waits_out: bool,
    /// Vector calls, with the scalar accesses that they wait for.
    pub vector: f64,
    /// Those of them in which one source of a call waits for another one that shares its banks of UB.
    pub conflicts: f64,
    /// Copies from GM.
    pub copy_in: f64,
    /// Copies to GM.
    pub copy_out: f64,
    /// The memory of all blocks, where each moves what this one does.
    pub memory: f64,
    /// Bytes that the block reads from GM.
    pub bytes_in: i64,
    /// Bytes that it writes there.
    pub bytes_out: i64,
    /// From its start to the first bytes.
    pub read_start: f64,
    /// From the last call to the last bytes.
    pub write_start: f64,
    /// How often it waits for all other blocks (SyncAll). Nothing was published of what that takes: it has no price.
    pub meetings: i64,
}

/// Why there is no prediction.
#[derive(Clone, Debug, PartialEq)]
pub enum CostError {
    /// The chip has no [`Timing`].
    NoTiming(&'static str),
    /// A bound or an extent depends on what is in a tensor.
    Data(SourceSpan),
    /// One has no value.
    Scalar(SourceSpan, EvalError),
    /// A statement of the tile dialect or an instruction without an extent; the lowering leaves none.
    NotLowered(SourceSpan),
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
            CostError::NotLowered(span) => write!(f, "{}: this is not lowered", at(span)),
        }
    }
}
impl std::error::Error for CostError {}

/// Predicts a launch of `lowered` with what the host decided.
///
/// # Errors
/// On a chip without [`Timing`], and where a length depends on what is in a tensor and nothing bounds it. Of how long a range is that is read of one the most is
/// taken, of the arms of a branch on what is in one the longer one.
pub fn estimate(lowered: &Lowered, chip: &Chip, tiling: &Tiling) -> Result<Estimate, CostError> {
    let timing: &Timing = chip.timing().ok_or(CostError::NoTiming(chip.name))?;
    walk::block(lowered, chip, timing, tiling)
}

impl Estimate {
    /// True where data may make it less.
    pub fn is_most(&self) -> bool {
        self.at_most || self.branch.is_some()
    }
    /// What takes longest, and its cycles.
    pub fn bound(&self) -> (Bound, f64) {
        let pipes = [
            (Pipe::Mte2, self.copy_in),
            (Pipe::V, self.vector),
            (Pipe::Mte3, self.copy_out),
        ];
        let pipes = pipes.map(|(pipe, cycles)| (Bound::Pipe(pipe), cycles));
        // The first one of several alike.
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

    /// Cycles of the block: what takes longest, and one tile of everything else. What stands on one side of the vector unit in a queue of one buffer
    /// takes its time after it, and what stands on the other side beside both.
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

    /// Cycles of the vector unit for one index of the share: a row, or an element of a flat kernel.
    pub fn vector_each(&self) -> Option<f64> {
        self.share
            .filter(|n| *n > 0)
            .map(|n| self.vector / n as f64)
    }
}
