//! The time of each event on its own pipe.

use super::constants::Constants;
use super::{memory, ReplayError};
use crate::cost::banks;
use crate::cost::call::{self, Span};
use crate::cost::event::{Event, Operand, Steps, Stretches, Trace, What};
use crate::cost::library::class;
use crate::ops::contract::Pipe;
use crate::ops::Cost;
use crate::soc::{Chip, Timing};

/// The cost of an op, by its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    cost: Cost,
    sources: usize,
}

/// Finds the cost classes of the ops that a trace names.
pub(super) fn known(trace: &Trace) -> Vec<Option<Known>> {
    let of = |name: &String| {
        let (cost, sources) = class(name)?;
        Some(Known { cost, sources })
    };
    trace.names.iter().map(of).collect()
}

/// The time of a vector call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Call {
    /// Cycles in which V works.
    pub busy: f64,
    /// Those of them in which rows of one group of banks wait for each other.
    pub conflicts: f64,
    /// True where the scalar unit waits for its result.
    pub waits: bool,
}

/// The facts that times follow from.
#[derive(Clone, Copy)]
pub(super) struct Times<'a> {
    pub trace: &'a Trace,
    pub chip: &'a Chip,
    pub constants: &'a Constants,
    pub timing: &'a Timing,
    pub known: &'a [Option<Known>],
}

impl Times<'_> {
    /// Returns the cycles of a pipe for an event.
    pub(super) fn busy(&self, event: &Event) -> Result<Call, ReplayError> {
        let of = |busy: f64| Call {
            busy,
            ..Call::default()
        };
        match event.what {
            What::Vector { .. } => self.call(event),
            What::Copy {
                pipe, stretches, ..
            } => Ok(of(self.copy(pipe, stretches))),
            What::Scalar { .. } => Ok(of(self.constants.scalar_ub.value)),
            What::Set { .. }
            | What::Wait { .. }
            | What::Barrier { .. }
            | What::SyncAll
            | What::CrossSet { .. }
            | What::CrossWait { .. }
            | What::Repeat { .. } => Ok(Call::default()),
        }
    }

    /// Returns the cycles of a copy on the path of its core.
    pub(super) fn copy(&self, pipe: Pipe, stretches: Stretches) -> f64 {
        let bytes = f64::from(stretches.count) * f64::from(stretches.bytes);
        let gaps = f64::from(stretches.count.saturating_sub(1));
        let moved = memory::path(self.constants, pipe, bytes);
        moved.max(self.constants.copy_issue.value) + self.constants.stretch.value * gaps
    }

    /// Returns the cycles of a vector call.
    pub(super) fn call(&self, event: &Event) -> Result<Call, ReplayError> {
        let What::Vector {
            op,
            repeats,
            lanes,
            last,
            operands,
        } = event.what
        else {
            return Ok(Call::default());
        };
        let known = self.known.get(usize::from(op.0)).copied().flatten();
        let known = known.ok_or_else(|| ReplayError::NoClass {
            op: self.trace.name(op).to_string(),
            place: self.trace.place(event),
        })?;
        let block = self.chip.data_block_bytes;
        let whole = (1, self.chip.repeat_bytes / block);
        let source = |blk: u16, rep: u16, at: u32, size: u8| banks::Source {
            at: i64::from(at),
            bytes: i64::from(lanes) * i64::from(size),
            steps: call::Steps::Blocks(i64::from(blk) * block, i64::from(rep) * block),
        };
        // Sources that are read in whole repeats wait for each other's banks.
        let by_repeats = |operand: Operand| match operand.steps {
            Steps::Blocks { blk, rep } => Some((
                operand,
                (i64::from(blk), i64::from(rep)),
                source(blk, rep, operand.at, operand.size),
            )),
            Steps::Dense { .. } => None,
        };
        let placed = operands.into_iter().flatten().filter_map(by_repeats);
        let placed: Vec<_> = placed.collect();
        let reads = placed.iter().filter(|(operand, ..)| operand.reads);
        let sources: Vec<banks::Source> = reads.map(|(_, _, source)| *source).collect();
        let span = Span::repeated(i64::from(repeats), i64::from(lanes));
        let time = self.constants.call(self.timing, known.cost);
        let reads = banks::conflicts(self.chip, time.slope, &sources, span);
        let each = time.slope + reads / f64::from(repeats.max(1));
        let writes: f64 = placed
            .iter()
            .filter(|(operand, steps, _)| operand.writes && !operand.reads && *steps == whole)
            .map(|(_, _, write)| banks::write_conflicts(self.chip, each, &sources, *write, span))
            .sum();
        let conflicts = reads + writes;
        let open = last < lanes && known.sources > 1;
        let open = if open { self.timing.open_end } else { 0.0 };
        Ok(Call {
            busy: time.fixed + time.slope * f64::from(repeats) + conflicts + open,
            conflicts,
            waits: known.cost == Cost::Reduce,
        })
    }
}
